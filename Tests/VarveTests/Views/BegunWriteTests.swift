import Foundation
import Testing
import Varve
import VarveLocks
import VarveStorage
import VarveTestSupport

/// Manual writes between `beginWrite` and their end, and the live realm that began them.
@Suite struct BegunWriteTests {
  /// Owns a realm that another thread releases.
  private final class Holder: Sendable {
    private let realm: Lock<Realm?>

    init(_ realm: Realm) { self.realm = Lock(realm) }

    func drop() { realm.withLock { $0 = nil } }
  }

  @Test func releasedRealmEndsWriteForOtherProcesses() throws {
    try withTemporaryRealm { realm, store in
      let tally = Tally(value: ["id": 1])
      try realm.write { realm.add(tally) }
      let process = TestProcess(["viewIncrement", store.path, "1", "1"])
      #expect(process.line() == "ready")
      let holder = Lock<Holder?>(nil)
      onAnotherThread {
        let dropped = try store.open()
        try dropped.beginWrite()
        try #require(dropped.object(ofType: Tally.self, forPrimaryKey: 1)).value = 70
        holder.withLock { $0 = Holder(dropped) }
      }
      process.go()
      holder.withLock { $0 }?.drop()
      #expect(process.line() == "done")
      process.wait()
      try realm.refresh()
      #expect(tally.value == 1)
    }
  }

  @Test func realmThatBeganWriteMayBeReleasedOnAnotherThread() throws {
    try withTemporaryRealm { realm, store in
      onAnotherThread {
        let holder = try begin(store)
        onAnotherThread { holder.drop() }
        let other = try store.open()
        #expect(other.isInWriteTransaction == false)
        try other.write { other.add(Sheep(2)) }
      }
      try realm.refresh()
      #expect(realm.objects(Sheep.self).map(\.id) == [2])
    }
  }

  @Test func writeEndsWithItsThread() throws {
    try withTemporaryRealm { realm, store in
      let holder = Lock<Holder?>(nil)
      for _ in 0..<20 {
        onAnotherThread {
          let begun = try begin(store)
          holder.withLock { $0 = begun }
        }
        // A thread that may have the thread ID of the ended one.
        onAnotherThread {
          let other = try store.open()
          #expect(!other.isInWriteTransaction)
          #expect(other.objects(Sheep.self).isEmpty)
          try other.write { #expect(other.objects(Sheep.self).isEmpty) }
        }
      }
      #expect(holder.withLock { $0 } != nil)
      try realm.write { realm.add(Sheep(2)) }
      #expect(realm.objects(Sheep.self).map(\.id) == [2])
    }
  }

  @Test func openingRealmRacesWithReleaseOfWritingRealm() throws {
    try withTemporaryRealm { realm, store in
      let handed = Lock<Holder?>(nil)
      onThreads(2) { number in
        for _ in 0..<200 {
          if number == 1 {
            handed.wait { $0 }.drop()
            handed.withLock { $0 = nil }
            handed.notify()
            continue
          }
          let begun = try begin(store)
          handed.withLock { $0 = begun }
          handed.notify()
          let opened = try store.open()
          // The realm opens either in the write or after its end, never in between.
          if opened.isInWriteTransaction {
            opened.create(Sheep.self, value: ["id": 2])
            opened.cancelWrite()
          } else {
            try opened.write { opened.add(Sheep(3), update: .all) }
          }
          handed.wait { $0 == nil ? () : nil }
        }
      }
      try realm.refresh()
      #expect(realm.objects(Sheep.self).allSatisfy { $0.id == 3 })
    }
  }

  private func begin(_ store: TemporaryRealm) throws -> Holder {
    let begun = try store.open()
    try begun.beginWrite()
    begun.create(Sheep.self, value: ["id": 1, "weights": [1, 2]])
    return Holder(begun)
  }

  @Test func objectOfRealmKeepsWriteOpen() throws {
    try withTemporaryRealm { realm, store in
      onAnotherThread {
        var sheep: Sheep? = Sheep(1)
        do {
          let begun = try store.open()
          try begun.beginWrite()
          if let sheep { begun.add(sheep) }
        }
        #expect(realm.isInWriteTransaction)
        sheep = nil
        #expect(realm.isInWriteTransaction == false)
      }
      #expect(realm.objects(Sheep.self).isEmpty)
    }
  }

  @Test func timedOutBeginWriteThrowsBusy() throws {
    try withTemporaryRealm({ $0.writeTimeout = .milliseconds(100) }) { realm, store in
      try realm.beginWrite()
      onAnotherThread {
        let other = try store.open()
        let error = thrownError { try other.beginWrite() }
        #expect(error?.code == .busy)
        #expect(error?.processID == getpid())
        expectError(.busy) { try other.write {} }
      }
      realm.add(Sheep(1))
      try realm.commitWrite()
      onAnotherThread {
        let other = try store.open()
        try other.beginWrite()
        other.add(Sheep(2))
        try other.commitWrite()
      }
      try realm.refresh()
      #expect(realm.objects(Sheep.self).count == 2)
    }
  }

  @Test func asyncWriteBehindManualWriteTimesOut() throws {
    try withTemporaryRealm({ $0.writeTimeout = .milliseconds(200) }) { realm, _ in
      let began = Date().timeIntervalSince1970
      try realm.beginWrite()
      let failures = WriteFailures()
      for _ in 0..<2 { Task.detached { await failures.note(of: realm) } }
      for _ in 0..<2 { #expect(failures.noted.wait(timeout: .now() + 30) == .success) }
      realm.add(Sheep(1))
      try realm.commitWrite()
      let errors = failures.errors.withLock { $0 }
      #expect(errors.map(\.code) == [.busy, .busy])
      for error in errors {
        #expect(error.processID == getpid())
        let since = try #require(error.since)
        #expect(since > began - 1 && since < began + 30)
      }
      #expect(realm.objects(Sheep.self).count == 1)
    }
  }

  /// The errors that asynchronous writes threw.
  private final class WriteFailures: Sendable {
    let errors = Lock<[Realm.Error]>([])
    let noted = DispatchSemaphore(value: 0)

    /// Starts a write that must not run, and records its error.
    func note(of realm: Realm) async {
      defer { noted.signal() }
      do {
        try await realm.asyncWrite { Issue.record("The write ran.") }
      } catch let error as Realm.Error {
        errors.withLock { $0.append(error) }
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test func threadsWriteManuallyInTurn() throws {
    try withTemporaryRealm { realm, store in
      let tally = Tally(value: ["id": 1])
      try realm.write { realm.add(tally) }
      onThreads(3) { number in
        // All threads share one realm; each thread has its own write.
        for round in 0..<40 {
          if number == 0 {
            try realm.write { tally.value += 1 }
          } else {
            try realm.beginWrite()
            tally.value += 1
            if round % 4 == 0 { realm.cancelWrite() } else { try realm.commitWrite() }
          }
        }
      }
      #expect(tally.value == 100)
    }
  }
}
