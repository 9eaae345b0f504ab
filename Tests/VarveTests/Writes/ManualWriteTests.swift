import Foundation
import Testing
import Varve
import VarveCore
import VarveTestSupport

@Suite struct ManualWriteTests {
  @Test func commitKeepsChanges() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1)
      try realm.beginWrite()
      #expect(realm.isInWriteTransaction)
      realm.add(crate)
      crate.numbers.append(4)
      try realm.commitWrite()
      #expect(realm.isInWriteTransaction == false)
      #expect(Array(crate.numbers) == [4])
      #expect(realm.objects(Crate.self).count == 1)
    }
  }

  @Test func cancelRollsBack() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1)
      try realm.beginWrite()
      realm.add(crate)
      realm.cancelWrite()
      #expect(realm.isInWriteTransaction == false)
      #expect(crate.isInvalidated)
      #expect(realm.objects(Crate.self).isEmpty)
      try realm.write { realm.add(Crate(2)) }
    }
  }

  @Test func failedOperationMakesCommitThrow() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1)
      try realm.write { realm.add(crate) }
      try realm.beginWrite()
      crate.label = "lost"
      crate.numbers.remove(at: 0)
      expectError(.indexOutOfBounds) { try realm.commitWrite() }
      #expect(realm.isInWriteTransaction == false)
      #expect(crate.label == "")
      try realm.write { crate.label = "kept" }
      #expect(crate.label == "kept")
    }
  }

  @Test func commitWithoutBeginThrows() throws {
    try withTemporaryRealm { realm, store in
      expectError(.notInWriteTransaction) { try realm.commitWrite() }
      realm.cancelWrite()
      try realm.write {
        expectError(.notInWriteTransaction) { try realm.commitWrite() }
        realm.add(Crate(1))
      }
      #expect(realm.objects(Crate.self).count == 1)
      expectError(.notInWriteTransaction) { try realm.commitAsyncWrite() }
    }
  }

  @Test func anyRealmOfThreadEndsWrite() throws {
    try withTemporaryRealm { realm, store in
      let other = try store.open()
      try realm.beginWrite()
      #expect(other.isInWriteTransaction)
      other.add(Crate(1))
      try other.commitWrite()
      #expect(!realm.isInWriteTransaction && realm.objects(Crate.self).count == 1)
      expectError(.notInWriteTransaction) { try realm.commitWrite() }
      try other.beginWrite()
      other.add(Crate(2))
      realm.cancelWrite()
      #expect(!other.isInWriteTransaction && other.objects(Crate.self).count == 1)
      try other.write { realm.add(Crate(3)) }
      try realm.beginWrite()
      expectError(.frozen) { try realm.freeze().commitWrite() }
      try realm.commitWrite()
    }
  }

  @Test func beginMovesRealmToNewestVersion() throws {
    try withTemporaryRealm { realm, store in
      let behind = try store.open()
      try realm.write { realm.add(Crate(1)) }
      #expect(behind.objects(Crate.self).isEmpty)
      try behind.beginWrite()
      #expect(behind.objects(Crate.self).count == 1)
      behind.cancelWrite()
      #expect(behind.objects(Crate.self).count == 1)
    }
  }

  @Test func writeNeedsNoRetainedRealm() throws {
    try withTemporaryRealm { realm, store in
      try store.open().beginWrite()
      try store.open().add(Crate(1))
      #expect(try store.open().objects(Crate.self).count == 1)
      try store.open().commitWrite()
      try realm.refresh()
      #expect(realm.objects(Crate.self).map(\.id) == [1])
    }
  }

  @Test func invalidationCancelsWrite() throws {
    try withTemporaryRealm { realm, store in
      let crate = Crate(1)
      try realm.write { realm.add(crate) }
      for invalidated in [realm, try store.open()] {
        try realm.beginWrite()
        realm.add(Crate(2))
        invalidated.invalidate()
        #expect(!realm.isInWriteTransaction && realm.objects(Crate.self).map(\.id) == [1])
      }
      #expect(crate.isInvalidated)
    }
  }

  @Test func commitAsyncWriteCommitsManualWrite() throws {
    try withTemporaryRealm { realm, store in
      let completions = EventRecorder<String>()
      try realm.beginWrite()
      realm.add(Crate(1))
      try store.open().commitAsyncWrite { completions.note($0.map { "\($0)" } ?? "committed") }
      #expect(!realm.isInWriteTransaction && realm.objects(Crate.self).count == 1)
      try realm.beginWrite()
      realm.objects(Crate.self)[0].numbers.remove(at: 4)
      try realm.commitAsyncWrite {
        completions.note(($0 as? Realm.Error)?.code == .indexOutOfBounds ? "refused" : "kept")
      }
      #expect(!realm.isInWriteTransaction)
      #expect(completions.wait(for: 2) == ["committed", "refused"])
      try realm.beginWrite()
      realm.objects(Crate.self)[0].numbers.remove(at: 4)
      expectError(.indexOutOfBounds) { try realm.commitAsyncWrite() }
      #expect(!realm.isInWriteTransaction)
    }
  }

  @Test func anotherThreadCannotCommit() throws {
    try withTemporaryRealm { realm, _ in
      try realm.beginWrite()
      realm.add(Crate(1))
      onAnotherThread {
        expectError(.notInWriteTransaction) { try realm.commitWrite() }
      }
      try realm.commitWrite()
      #expect(realm.objects(Crate.self).count == 1)
    }
  }

  @Test func anotherThreadCannotCancel() throws {
    try withTemporaryRealm { realm, store in
      try realm.beginWrite()
      let crate = realm.create(Crate.self, value: ["id": 1])
      onAnotherThread { realm.cancelWrite() }
      #expect(realm.isInWriteTransaction && !crate.isInvalidated)
      crate.label = "goes on"
      try realm.commitWrite()
      #expect(realm.objects(Crate.self).map(\.label) == ["goes on"])
      // No write has begun, so there is nothing to cancel on any thread.
      onAnotherThread { realm.cancelWrite() }
      try realm.write { crate.label = "and on" }
    }
  }

  @Test func cancelOnAnotherThreadIsLogged() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let process = TestProcess(["realmCancel", store.path])
    let isLogged = { (line: String) in
      line.contains("error") && line.contains("cancelled on a thread that did not begin it")
    }
    var lines: [String] = []
    // The store logs other events, too.
    while !lines.contains("goes on") || !lines.contains(where: isLogged),
      let line = process.line()
    { lines.append(line) }
    process.go()
    lines += process.lines()
    process.wait()
    #expect(lines.contains("goes on") && lines.contains("committed 1"))
    #expect(lines.count(where: isLogged) == 1)
  }

  @Test func releasingLastRealmOfThreadCancelsWrite() throws {
    try withTemporaryRealm({ $0.writeTimeout = .seconds(5) }) { realm, store in
      onAnotherThread {
        do {
          let dropped = try store.open()
          try dropped.beginWrite()
          dropped.add(Crate(1))
        }
        // The lock is free again for this thread and others.
        try store.open().write { try store.open().add(Crate(2)) }
      }
      try realm.write { realm.add(Crate(3)) }
      #expect(realm.objects(Crate.self).map(\.id) == [2, 3])
    }
  }

  @Test func asyncWritesWaitForManualWrite() async throws {
    try await withTemporaryRealm { realm, store in
      let core = try store.configuration.store()
      let begun = DispatchSemaphore(value: 0)
      let semaphore = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        do {
          try realm.beginWrite()
          realm.add(Crate(1))
          begun.signal()
          semaphore.wait()
          try realm.commitWrite()
        } catch {
          Issue.record(error)
          begun.signal()
        }
      }
      wait(for: begun)
      let configuration = store.configuration
      let task = Task {
        try await realm.asyncWrite {
          let writing = try Realm(configuration: configuration)
          #expect(writing.objects(Crate.self).count == 1)
          writing.add(Crate(2))
        }
      }
      while core.waitingWriteCount < 1 { await Task.yield() }
      semaphore.signal()
      try await task.value
      #expect(realm.objects(Crate.self).count == 2)
    }
  }

  /// Not in an asynchronous function, where `wait()` is unavailable.
  private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
}
