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
      // Opening the store may commit, too. The service has opened it when it shows the sizes.
      try await wait {
        try await server.send(.GET, "/metrics").text.contains("varve_file_bytes{")
      }
      _ = try await server.create("Task 0")
      let before = try await commits(of: server)
      for number in 1...3 { _ = try await server.create("Task \(number)") }
      let after = try await commits(of: server)
      #expect(after.count == before.count + 3)
      #expect(after.timed == after.count)
    }
  }

  /// Returns the numbers of counted and of timed commits.
  private func commits(of server: ServerProcess) async throws -> (count: Double, timed: Double) {
    let metrics = try await server.send(.GET, "/metrics").text
    let count = metrics.firstMatch(of: /varve_commits\{store=".*tasks.varve"\} (.+)/)
    let timed = metrics.firstMatch(
      of: /varve_commit_duration_seconds_count\{store=".*tasks.varve"\} (.+)/)
    return (
      try #require(count.flatMap { Double($0.1) }), try #require(timed.flatMap { Double($0.1) })
    )
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
