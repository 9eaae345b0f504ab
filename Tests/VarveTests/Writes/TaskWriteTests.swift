import Foundation
import Testing
import Varve
import VarveCore
import VarveTestSupport

/// `try await realm.write { … }`.
@Suite struct TaskWriteTests {
  // MARK: Overload resolution

  private static func threadOfSynchronousWrite(_ realm: Realm) throws -> UInt {
    try realm.write { UInt(pthread_self()) }
  }

  @Test func asynchronousCodeWritesOnTheWriterThread() async throws {
    try await withTemporaryRealm { realm, _ in
      var threads: Set<UInt> = [try await realm.asyncWrite { UInt(pthread_self()) }]
      threads.insert(try await realm.write { UInt(pthread_self()) })
      threads.insert(try await realm.write(withoutNotifying: []) { UInt(pthread_self()) })
      threads.insert(try await realm.write(grouping: false) { UInt(pthread_self()) })
      threads.insert(try await Task { try await realm.write { UInt(pthread_self()) } }.value)
      async let child = realm.write { UInt(pthread_self()) }
      threads.insert(try await child)
      #expect(threads.count == 1)
    }
  }

  @Test func synchronousCodeWritesOnItsOwnThread() async throws {
    try await withTemporaryRealm { realm, _ in
      let writer = try await realm.write { UInt(pthread_self()) }
      let threads = try [1, 2].map { _ in try realm.write { UInt(pthread_self()) } }
      #expect(threads == [UInt(pthread_self()), UInt(pthread_self())])
      #expect(try Self.threadOfSynchronousWrite(realm) != writer)
    }
  }

  @MainActor private static func isMainThreadInAWrite(_ realm: Realm) async throws -> Bool {
    try await realm.write { Thread.isMainThread }
  }

  @Test func closureRunsOutsideMainActor() async throws {
    try await withTemporaryRealm { realm, _ in
      let isMain = try await Self.isMainThreadInAWrite(realm)
      #expect(!isMain)
    }
  }

  private actor Desk {
    private let realm: Realm
    private let crate = Crate(1)
    private(set) var writes = 0

    init(_ realm: Realm) { self.realm = realm }

    func write() async throws {
      writes += try await realm.write { [realm, crate] in
        if crate.realm == nil { realm.add(crate) }
        crate.weight += 1
        return 1
      }
    }

    var weight: Double { crate.weight }
  }

  @Test func actorWritesAndChangesItsOwnState() async throws {
    try await withTemporaryRealm { realm, _ in
      let desk = Desk(realm)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<50 { group.addTask { try await desk.write() } }
        try await group.waitForAll()
      }
      #expect(await desk.writes == 50)
      #expect(await desk.weight == 50)
    }
  }

  // MARK: Closure captures and results

  @Test func resultIsReturnedAfterCommit() async throws {
    try await withTemporaryRealm { realm, store in
      let crate = try await realm.write {
        let crate = Crate(1, numbers: [1, 2])
        realm.add(crate)
        return crate
      }
      #expect(crate.realm == realm && Array(crate.numbers) == [1, 2])
      let counts = try await realm.write { [crate.numbers.count, realm.objects(Crate.self).count] }
      #expect(counts == [2, 1])
      #expect(try store.open().objects(Crate.self).count == 1)
    }
  }

  @Test func realmOpenedInsideJoinsWrite() async throws {
    try await withTemporaryRealm { realm, store in
      let configuration = store.configuration
      let count = try await realm.write {
        let inside = try Realm(configuration: configuration)
        #expect(inside.isInWriteTransaction)
        inside.add(Crate(1))
        return inside.objects(Crate.self).count
      }
      #expect(count == 1 && realm.objects(Crate.self).count == 1)
      #expect(!realm.isInWriteTransaction)
    }
  }

  @Test func capturedManagedAndUnmanagedObjectsAreWritten() async throws {
    try await withTemporaryRealm { realm, store in
      let managed = Crate(1)
      try await realm.write { realm.add(managed) }
      let unmanaged = Crate(2, numbers: [5])
      let elsewhere = try #require(
        store.open().object(ofType: Crate.self, forPrimaryKey: 1))
      try await realm.write {
        managed.label = "a"
        elsewhere.weight = 3
        realm.add(unmanaged)
        unmanaged.numbers.append(6)
      }
      #expect(managed.label == "a" && managed.weight == 3 && elsewhere.label == "a")
      #expect(Array(unmanaged.numbers) == [5, 6] && unmanaged.realm == realm)
    }
  }

  // MARK: Rolled-back writes

  @Test func throwingClosureRollsBack() async throws {
    try await withTemporaryRealm { realm, _ in
      await expectThrown(Cancelled.self) {
        try await realm.write {
          realm.add(Crate(1))
          throw Cancelled()
        }
      }
      #expect(realm.objects(Crate.self).isEmpty)
    }
  }

  @Test func cancelWriteRollsBackAndReturnsResult() async throws {
    try await withTemporaryRealm { realm, _ in
      let result = try await realm.write {
        realm.add(Crate(1))
        realm.cancelWrite()
        return 17
      }
      #expect(result == 17 && realm.objects(Crate.self).isEmpty)
    }
  }

  @Test func failedOperationThrowsAtEnd() async throws {
    try await withTemporaryRealm { realm, _ in
      await expectErrorOfTask(.indexOutOfBounds) {
        try await realm.write {
          let crate = Crate(1)
          realm.add(crate)
          crate.numbers.remove(at: 3)
        }
      }
      #expect(realm.objects(Crate.self).isEmpty)
    }
  }

  @Test func nestedWriteThrows() async throws {
    try await withTemporaryRealm { realm, _ in
      let code = try await realm.write {
        realm.add(Crate(1))
        return errorCode { try realm.write { realm.add(Crate(2)) } }
      }
      #expect(code == .alreadyInWriteTransaction)
      #expect(realm.objects(Crate.self).map(\.id) == [1])
    }
  }

  @Test func frozenRealmAndReadOnlyStoreThrow() async throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    await expectErrorOfTask(.frozen) {
      try await realm.freeze().write {}
    }
    try store.close()
    var configuration = store.configuration
    configuration.readOnly = true
    let reading = try Realm(configuration: configuration)
    await expectErrorOfTask(.readOnly) { try await reading.write {} }
    try Realm.close(configuration)
  }

  // MARK: Waiting

  /// If each write blocked a thread of the pool, no thread would be left for the reader, and not
  /// all of the writes would be waiting.
  @Test(.timeLimit(.minutes(1)), arguments: [false, true])
  func waitingWritesDoNotBlockPoolThreads(_ isHeldElsewhere: Bool) async throws {
    try await withTemporaryRealm { realm, store in
      let crate = Crate(1)
      try await realm.write { realm.add(crate) }
      let core = try store.configuration.store()
      let process = isHeldElsewhere ? TestProcess(["realmHold", store.path]) : nil
      if let process { #expect(process.line() == "held") }
      let held = isHeldElsewhere ? nil : OpenWrite(store.configuration)
      let count = 8 * ProcessInfo.processInfo.activeProcessorCount
      let writes = (0..<count).map { _ in Task { try await realm.write { crate.weight += 1 } } }
      while core.waitingWriteCount < count { await Task.yield() }
      let reader = Task.detached { try store.open().objects(Crate.self).first?.weight }
      #expect(try await reader.value == 0)
      process?.go()
      held?.end()
      for write in writes { try await write.value }
      #expect(crate.weight == Double(count))
      if let process { #expect(process.line() == "released") }
    }
  }

  @Test func taskCancelledWhileWaitingWritesNothing() async throws {
    try await withTemporaryRealm { realm, store in
      let core = try store.configuration.store()
      let held = OpenWrite(store.configuration)
      let write = Task { try await realm.write { realm.add(Crate(1)) } }
      while core.waitingWriteCount < 1 { await Task.yield() }
      write.cancel()
      // The lock is still owned by the other write.
      await expectCancellation(of: write)
      held.end()
      try await realm.write { realm.add(Crate(2)) }
      #expect(realm.objects(Crate.self).map(\.id) == [2])
    }
  }

  @Test func waitingWritesShareCommitUnlessUngrouped() async throws {
    try await withPatientStore { realm, store in
      try await realm.write { realm.add(Crate(0)) }
      let core = try store.configuration.store()
      let token = try realm.objects(Stamp.self).observe { _ in }
      let before = realm.version.number
      let held = OpenWrite(store.configuration)
      let writes: [@Sendable () async throws -> Void] = [
        { try await realm.write { realm.add(Crate(1)) } },
        { try await realm.write { realm.add(Crate(2)) } },
        { try await realm.write(grouping: true) { realm.add(Crate(3)) } },
        { try await realm.write(grouping: false) { realm.add(Crate(4)) } },
        { try await realm.write { realm.add(Crate(5)) } },
        { try await realm.write(withoutNotifying: [token]) { realm.add(Crate(6)) } },
      ]
      var tasks: [Task<Void, any Error>] = []
      for (number, write) in writes.enumerated() {
        tasks.append(Task { try await write() })
        while core.waitingWriteCount <= number { await Task.yield() }
      }
      held.end()
      for task in tasks { try await task.value }
      // 1, 2 and 3; 4; 5; 6.
      #expect(realm.version.number == before + 4)
      #expect(realm.objects(Crate.self).map(\.id) == [0, 1, 2, 3, 4, 5, 6])
      token.invalidate()
    }
  }

  @Test func withoutNotifyingSkipsGivenObservers() async throws {
    try await withTemporaryRealm { realm, _ in
      let events = EventRecorder<ObservedChange>()
      let token = try realm.objects(Crate.self).observe { events.note(ObservedChange($0)) }
      #expect(events.wait(for: 1) == [.initial(0)])
      try await realm.write(withoutNotifying: [token]) { realm.add(Crate(1)) }
      try await realm.write { realm.add(Crate(2)) }
      #expect(events.wait(for: 2) == [.initial(0), .update(2, [], [1], [])])
      token.invalidate()
    }
  }
}
