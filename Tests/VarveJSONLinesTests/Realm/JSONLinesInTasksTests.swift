import Foundation
import Testing
import Varve
import VarveJSONLines
import VarveLocks
import VarveTestSupport

/// Exports and imports awaited by a task.
@Suite struct JSONLinesInTasksTests {
  private struct Refusal: Error {}

  /// Creates a store with `Place` objects.
  private func places(_ count: Int, _ directory: TransferDirectory) async throws -> Realm {
    let realm = try directory.open("a.varve", [Place.self])
    try await realm.write { for _ in 0..<count { realm.create(Place.self) } }
    return realm
  }

  @Test func exportedStoreIsRestoredByImport() async throws {
    try await TransferDirectory.with { directory in
      let realm = try await places(3000, directory)
      let text = directory.url.appending(path: "text.jsonl")
      let reported = Lock<[Int]>([])
      let count = try await realm.exportJSONLines(to: text) { done, _ in
        reported.withLock { $0.append(done) }
      }
      let steps = reported.withLock(\.self)
      #expect(count == 3000 && steps.last == 3000 && steps.count > 1)
      let other = try directory.open("b.varve", [Place.self])
      let read = try await other.importJSONLines(from: text) { done, _ in
        reported.withLock { $0.append(done) }
      }
      #expect(read == 3000 && other.objects(Place.self).count == 3000)
      #expect(reported.withLock(\.count) > steps.count)

      let file = try FileHandle(forReadingFrom: text)
      let third = try directory.open("c.varve", [Place.self])
      #expect(try await third.importJSONLines(from: file) == 3000)
      let again = directory.url.appending(path: "again.jsonl")
      #expect(FileManager.default.createFile(atPath: again.path, contents: nil))
      let handle = try FileHandle(forWritingTo: again)
      #expect(try await third.exportJSONLines(to: handle) == 3000)
      #expect(try Data(contentsOf: again) == Data(contentsOf: text))
    }
  }

  @TaskLocal private static var request = 0

  @Test func progressIsReportedInsideTask() async throws {
    try await TransferDirectory.with { directory in
      let realm = try await places(10, directory)
      let text = directory.url.appending(path: "text.jsonl")
      let other = try directory.open("b.varve", [Place.self])
      let seen = Lock<[Int]>([])
      try await Self.$request.withValue(7) {
        let note: @Sendable (Int, Int?) -> Void = { _, _ in
          seen.withLock { $0.append(Self.request) }
        }
        _ = try await realm.exportJSONLines(to: text, progress: note)
        _ = try await other.importJSONLines(from: text, progress: note)
      }
      #expect(seen.withLock { $0.count >= 2 && $0.allSatisfy { $0 == 7 } })
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func cancelledImportStoresNothing() async throws {
    try await TransferDirectory.with { directory in
      let text = directory.url.appending(path: "text.jsonl")
      try await places(3000, directory).exportJSONLines(to: text)
      let other = try directory.open("b.varve", [Place.self])
      let turnstile = Turnstile()
      let reading = Task {
        try await other.importJSONLines(from: text) { _, _ in turnstile.pass() }
      }
      while turnstile.reached < 1 { await Task.yield() }
      reading.cancel()
      turnstile.open(1)
      await expectCancellation(of: reading)
      #expect(turnstile.reached == 1)
      try other.refresh()
      #expect(other.objects(Place.self).isEmpty)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func filesOfCancelledImportCanBeDeletedImmediately() async throws {
    try await TransferDirectory.with { directory in
      let text = directory.url.appending(path: "text.jsonl")
      try await places(3000, directory).exportJSONLines(to: text)
      for _ in 0..<20 {
        let configuration = try directory.open("b.varve", [Place.self]).configuration
        let turnstile = Turnstile()
        let reading = Task {
          try await Realm(configuration: configuration)
            .importJSONLines(from: text) { _, _ in turnstile.pass() }
        }
        while turnstile.reached < 1 { await Task.yield() }
        reading.cancel()
        turnstile.open(1)
        await expectCancellation(of: reading)
        try Realm.close(configuration)
        #expect(try Realm.deleteFiles(for: configuration))
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func cancelledExportLeavesFileUnchanged() async throws {
    try await TransferDirectory.with { directory in
      let realm = try await places(3000, directory)
      let text = directory.url.appending(path: "text.jsonl")
      try Data("old".utf8).write(to: text)
      let turnstile = Turnstile()
      let writing = Task { try await realm.exportJSONLines(to: text) { _, _ in turnstile.pass() } }
      while turnstile.reached < 1 { await Task.yield() }
      writing.cancel()
      turnstile.open(1)
      await expectCancellation(of: writing)
      #expect(try Data(contentsOf: text) == Data("old".utf8))
      let error = await thrown {
        try await realm.exportJSONLines(to: text) { _, _ in throw Refusal() }
      }
      #expect(error is Refusal)
    }
  }

  /// Reads continue while more exports wait than the pool has threads.
  @Test(.timeLimit(.minutes(1)))
  func exportsBlockNoPoolThread() async throws {
    try await TransferDirectory.with { directory in
      let realm = try await places(1, directory)
      let turnstile = Turnstile()
      let count = 8 * ProcessInfo.processInfo.activeProcessorCount
      let url = directory.url
      let exports = (0..<count).map { number in
        Task {
          try await realm.exportJSONLines(to: url.appending(path: "\(number)")) {
            _, _ in turnstile.pass()
          }
        }
      }
      while turnstile.reached < count { await Task.yield() }
      let configuration = realm.configuration
      let reader = Task.detached {
        try Realm(configuration: configuration).objects(Place.self).count
      }
      #expect(try await reader.value == 1)
      turnstile.open(count)
      for export in exports { #expect(try await export.value == 1) }
    }
  }

  @Test func exportIntoMissingDirectoryThrows() async throws {
    try await TransferDirectory.with { directory in
      let realm = try directory.open("a.varve", [Place.self])
      let target = directory.url.appending(path: "missing/text")
      let error = await thrown { try await realm.exportJSONLines(to: target) }
      #expect((error as? Realm.Error)?.code == .fileNotFound)
    }
  }

  @Test func unreadableTextThrows() async throws {
    try await TransferDirectory.with { directory in
      let realm = try directory.open("a.varve", [Place.self])
      let none = await thrown {
        try await realm.importJSONLines(from: directory.url.appending(path: "none"))
      }
      #expect((none as? Realm.Error)?.code == .fileNotFound)
      let text = directory.url.appending(path: "text")
      try Data("nothing\n".utf8).write(to: text)
      let bad = await thrown { try await realm.importJSONLines(from: text) }
      #expect((bad as? Realm.Error)?.code == .invalidInput)
      let frozen = await thrown { try await realm.freeze().importJSONLines(from: text) }
      #expect((frozen as? Realm.Error)?.code == .frozen)
    }
  }

  /// Expects that a task ended with a cancellation error.
  private func expectCancellation(
    of task: Task<Int, any Error>, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let result = await task.result
    #expect(throws: CancellationError.self, sourceLocation: sourceLocation) { try result.get() }
  }

  /// The error that a call throws; nil when it throws nothing.
  private func thrown<R>(_ call: () async throws -> R) async -> (any Error)? {
    do {
      _ = try await call()
      return nil
    } catch {
      return error
    }
  }
}
