import Foundation
import Testing

@Suite struct OperationRoutesTests {
  @Test func healthReportsAStoreThatCannotBeWritten() async throws {
    try await withTemporaryStore { store in
      let server = try await ServerProcess(store: store)
      #expect(try await server.send(.GET, "/health").status == 200)
      try FileManager.default.removeItem(at: store)
      let answer = try await server.send(.GET, "/health")
      #expect(answer.status == 503)
      #expect(answer.text.contains("cannot be written"))
    }
  }

  @Test func metricsCountCommits() async throws {
    try await withTemporaryStore { store in
      let server = try await ServerProcess(store: store)
      for number in 1...3 { _ = try await server.create("Task \(number)") }
      let metrics = try await server.send(.GET, "/metrics").text
      #expect(metrics.contains("\nvarve_commits{store=\"tasks.varve\"} 3.0\n"))
      #expect(
        metrics.contains("\nvarve_commit_duration_seconds_count{store=\"tasks.varve\"} 3.0\n"))
    }
  }

  @Test func backupIsAStoreOfItsTime() async throws {
    struct Backup: Decodable {
      let file: String
      let bytes: Int
    }
    try await withTemporaryStore { store in
      let server = try await ServerProcess(store: store)
      _ = try await server.create("before")
      let backup: Backup = try await server.send(.POST, "/backup").decode()
      _ = try await server.create("after")
      let file = store.deletingLastPathComponent().appending(path: "backups/\(backup.file)")
      #expect(try Data(contentsOf: file).count == backup.bytes)
      let restored = try await ServerProcess(store: file)
      let page: PageAnswer = try await restored.send(.GET, "/tasks").decode()
      #expect(page.tasks.map(\.title) == ["before"])
    }
  }
}
