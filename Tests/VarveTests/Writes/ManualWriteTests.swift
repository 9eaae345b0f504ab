import Foundation
import Testing
import Varve
import VarveCore
import VarveTestSupport

@Suite struct ManualWriteTests {
  @Test func aCommitKeepsTheChanges() throws {
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

  @Test func aCancelKeepsNothing() throws {
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

  @Test func aFailedOperationMakesTheCommitThrow() throws {
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

  @Test func endingWithoutABeginIsAnError() throws {
    try withTemporaryRealm { realm, store in
      expectError(.notInWriteTransaction) { try realm.commitWrite() }
      realm.cancelWrite()
      // The write belongs to the realm that began it.
      try realm.beginWrite()
      let other = try store.open()
      realm.add(Crate(1))
      expectError(.notInWriteTransaction) { try other.commitWrite() }
      other.cancelWrite()
      #expect(realm.isInWriteTransaction)
      try realm.commitWrite()
      #expect(realm.objects(Crate.self).count == 1)
      expectError(.notInWriteTransaction) { try realm.commitWrite() }
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
      // Nothing was begun: nothing to cancel, on whatever thread.
      onAnotherThread { realm.cancelWrite() }
      try realm.write { crate.label = "and on" }
    }
  }

  @Test func aCancelOnAnotherThreadIsLogged() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let process = TestProcess(["realmCancel", store.path])
    var lines: [String] = []
    while lines.count < 2, let line = process.line() { lines.append(line) }
    process.go()
    while let line = process.line() { lines.append(line) }
    process.wait()
    #expect(lines.contains("goes on") && lines.contains("committed 1"))
    #expect(lines.count { $0.contains("error") && $0.contains("cancelled on another thread") } == 1)
  }

  @Test func droppingTheRealmCancelsTheWrite() throws {
    try withTemporaryRealm({ $0.writeTimeout = .seconds(5) }) { realm, store in
      do {
        let dropped = try store.open()
        try dropped.beginWrite()
        dropped.add(Crate(1))
      }
      // The lock is free again, for this thread and for others.
      try realm.write { realm.add(Crate(2)) }
      onAnotherThread { try store.open().write {} }
      #expect(realm.objects(Crate.self).map(\.id) == [2])
    }
  }

  @Test func theRealmMayBeDroppedOnAnotherThread() throws {
    try withTemporaryRealm({ $0.writeTimeout = .seconds(5) }) { realm, store in
      onAnotherThread {
        let dropped = try store.open()
        try dropped.beginWrite()
        dropped.add(Crate(1))
      }
      try realm.write { realm.add(Crate(2)) }
      #expect(realm.objects(Crate.self).map(\.id) == [2])
    }
  }

  @Test func asyncWritesWaitForAManualOne() async throws {
    try await withTemporaryRealm { realm, store in
      let core = try store.configuration.store()
      let begun = DispatchSemaphore(value: 0)
      let goOn = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        do {
          try realm.beginWrite()
          realm.add(Crate(1))
          begun.signal()
          goOn.wait()
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
      goOn.signal()
      try await task.value
      #expect(realm.objects(Crate.self).count == 2)
    }
  }

  /// Not in an asynchronous function, which may not call it.
  private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
}
