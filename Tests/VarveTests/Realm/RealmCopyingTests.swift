import Dispatch
import Foundation
import Synchronization
import Testing
import Varve
import VarveStorage
import VarveTestSupport

/// `try await realm.writeCopy(…)`.
@Suite struct RealmCopyingTests {
  private struct Refusal: Error {}

  private func names(_ store: TemporaryRealm) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: store.directory.path))
  }

  @Test func writeCopyCreatesCopy() async throws {
    try await withTemporaryRealm { realm, store in
      try await realm.write { realm.add(Buoy(1)) }
      var copy = store.configuration
      copy.fileURL = store.directory.appending(path: "copy.varve")
      try await realm.writeCopy(configuration: copy)
      #expect(try Realm(configuration: copy).objects(Buoy.self).map(\.id) == [1])
      try Realm.close(copy)
      await expectErrorOfTask(.fileExists) {
        try await realm.writeCopy(toFile: store.directory.appending(path: "copy.varve"))
      }
    }
  }

  @Test func progressIsReportedUntilComplete() async throws {
    try await withTemporaryRealm { realm, store in
      try grow(realm, versions: 1, bytes: 3 << 20)
      let events = EventRecorder<Realm.CopyProgress>()
      let target = store.directory.appending(path: "copy.varve")
      try await realm.writeCopy(toFile: target) { events.note($0) }
      #expect(events.all.first?.fractionCompleted == 0 && events.all.last?.fractionCompleted == 1)
      #expect(events.all.count >= 4)
      #expect(events.all.allSatisfy { $0.totalBytes > 3 << 20 })
      var copy = store.configuration
      copy.fileURL = store.directory.appending(path: "other.varve")
      let other = EventRecorder<Realm.CopyProgress>()
      try await realm.writeCopy(configuration: copy) { other.note($0) }
      #expect(other.all == events.all)
    }
  }

  @Test func progressClosureErrorStopsCopy() async throws {
    try await withTemporaryRealm { realm, store in
      try grow(realm, versions: 1, bytes: 3 << 20)
      let before = try names(store)
      let calls = EventRecorder<Int>()
      await expectThrown(Refusal.self) {
        try await realm.writeCopy(toFile: store.directory.appending(path: "copy.varve")) {
          calls.note($0.completedBytes)
          if $0.completedBytes > 0 { throw Refusal() }
        }
      }
      #expect(calls.all.count == 2)
      #expect(try names(store) == before)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func cancelledCopyLeavesNoFile() async throws {
    try await withTemporaryRealm { realm, store in
      try grow(realm, versions: 1, bytes: 3 << 20)
      let before = try names(store)
      let turnstile = Turnstile()
      let copy = Task {
        try await realm.writeCopy(toFile: store.directory.appending(path: "copy.varve")) {
          if $0.completedBytes > 0 { turnstile.pass() }
        }
      }
      while turnstile.reached < 1 { await Task.yield() }
      // A partial file exists.
      #expect(try names(store).count == before.count + 1)
      copy.cancel()
      turnstile.open(1)
      await expectCancellation(of: copy)
      #expect(turnstile.reached == 1)
      #expect(try names(store) == before)
    }
  }

  @Test func cancelledTaskDoesNotStartCopy() async throws {
    try await withTemporaryRealm { realm, store in
      let copy = Task {
        while !Task.isCancelled { await Task.yield() }
        try await realm.writeCopy(toFile: store.directory.appending(path: "copy.varve")) { _ in
          Issue.record("The copy has begun.")
        }
      }
      copy.cancel()
      await expectCancellation(of: copy)
    }
  }

  /// If each copy blocked a thread of the pool, no thread would be left for the reader.
  @Test(.timeLimit(.minutes(1)))
  func copiesDoNotBlockPoolThreads() async throws {
    try await withTemporaryRealm { realm, store in
      try await realm.write { realm.add(Buoy(1)) }
      let turnstile = Turnstile()
      let count = 8 * ProcessInfo.processInfo.activeProcessorCount
      let copies = (0..<count).map { number in
        Task {
          try await realm.writeCopy(toFile: store.directory.appending(path: "\(number)")) {
            if $0.completedBytes == 0 { turnstile.pass() }
          }
        }
      }
      while turnstile.reached < count { await Task.yield() }
      let reader = Task.detached { try store.open().objects(Buoy.self).count }
      #expect(try await reader.value == 1)
      // Writers also proceed.
      try await realm.write { realm.add(Buoy(2)) }
      turnstile.open(count)
      for copy in copies { try await copy.value }
      #expect(try names(store).count >= count)
    }
  }

  @Test func asyncCopyThrowsSameErrorsAsSynchronousCopy() async throws {
    try await withTemporaryRealm { realm, store in
      let target = store.directory.appending(path: "copy.varve")
      await expectErrorOfTask(.invalidInput) {
        try await realm.writeCopy(toFile: target, encryptionKey: Data(count: 64))
      }
      await expectErrorOfTask(.invalidInput) {
        try await realm.writeCopy(configuration: Realm.Configuration(inMemoryIdentifier: "copy"))
      }
      await expectErrorOfTask(.fileNotFound) {
        try await realm.writeCopy(toFile: store.directory.appending(path: "none/copy.varve"))
      }
      #expect(!FileManager.default.fileExists(atPath: target.path))
    }
  }
}
