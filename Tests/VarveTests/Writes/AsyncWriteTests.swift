import Foundation
import Synchronization
import Testing
import Varve
import VarveCore

@Suite struct AsyncWriteTests {
  @Test func writeReturnsClosureResultAfterCommit() async throws {
    try await withTemporaryRealm { realm, store in
      let configuration = store.configuration
      let count = try await realm.asyncWrite {
        let writing = try Realm(configuration: configuration)
        writing.add(Crate(1))
        return writing.objects(Crate.self).count
      }
      #expect(count == 1)
      // The realm took part in the write, and has moved.
      #expect(realm.objects(Crate.self).count == 1)
    }
  }

  @Test func callerHandlesReadAndWriteInTransaction() async throws {
    try await withTemporaryRealm { realm, store in
      let crate = Crate(1)
      try await realm.write { realm.add(crate) }
      let other = try store.open()
      let seen = try #require(other.object(ofType: Crate.self, forPrimaryKey: 1))
      try await realm.write { crate.weight = 10 }
      try await realm.asyncWrite { seen.weight += 1 }
      #expect(crate.weight == 11)
      #expect(seen.weight == 11)
    }
  }

  @Test func throwingClosureRollsBack() async throws {
    try await withTemporaryRealm { realm, _ in
      do {
        try await realm.asyncWrite {
          realm.add(Crate(1))
          throw Cancelled()
        }
        Issue.record("The write was not cancelled.")
      } catch is Cancelled {}
      #expect(realm.objects(Crate.self).isEmpty)
    }
  }

  @Test func failedOperationThrows() async throws {
    try await withTemporaryRealm { realm, _ in
      let crate = Crate(1)
      try await realm.write { realm.add(crate) }
      do {
        try await realm.asyncWrite { crate.numbers[3] = 1 }
        Issue.record("The index is out of bounds.")
      } catch let error as Realm.Error {
        #expect(error.code == .indexOutOfBounds)
      }
    }
  }

  @Test func syncWriteInsideAsyncWriteThrows() async throws {
    try await withTemporaryRealm { realm, _ in
      let code = try await realm.asyncWrite { errorCode { try realm.write {} } }
      #expect(code == .alreadyInWriteTransaction)
    }
  }

  @Test(arguments: [true, false])
  func writesRunInCallOrder(_ grouping: Bool) async throws {
    try await withTemporaryRealm { realm, store in
      let core = try store.configuration.store()
      let crate = Crate(1)
      try await realm.write { realm.add(crate) }
      let held = OpenWrite(store.configuration)
      var tasks: [Task<Void, any Error>] = []
      for number in 0..<60 {
        tasks.append(
          Task {
            try await realm.asyncWrite(grouping: grouping || number % 7 == 0) {
              crate.numbers.append(number)
            }
          })
        while core.waitingWriteCount <= number { await Task.yield() }
      }
      held.end()
      for task in tasks { try await task.value }
      #expect(Array(crate.numbers) == Array(0..<60))
    }
  }

  @Test func writesRunOnWriterThread() async throws {
    try await withTemporaryRealm { realm, _ in
      var threads: Set<UInt> = []
      for _ in 0..<5 {
        threads.insert(try await realm.asyncWrite { UInt(pthread_self()) })
      }
      #expect(threads.count == 1)
    }
  }

  @Test func timedOutWriteThrowsBusy() async throws {
    try await withTemporaryRealm({ $0.writeTimeout = .milliseconds(200) }) { realm, _ in
      let semaphore = DispatchSemaphore(value: 0)
      let isRunning = Flag()
      let long = Task {
        try await realm.asyncWrite {
          isRunning.set()
          semaphore.wait()
        }
      }
      while !isRunning.isSet { await Task.yield() }
      let short = Task { try await realm.asyncWrite { Issue.record("The write ran.") } }
      let result = await short.result
      let error = thrownError { try result.get() }
      #expect(error?.code == .busy)
      #expect(error?.processID == getpid())
      semaphore.signal()
      try await long.value
      try await realm.asyncWrite {}
    }
  }

  @Test func waitingWritesDoNotTimeOutWhileOthersCommit() async throws {
    try await withTemporaryRealm({ $0.writeTimeout = .seconds(2) }) { realm, _ in
      let tasks = (0..<8).map { id in
        Task {
          try await realm.asyncWrite(grouping: false) {
            usleep(400_000)
            realm.add(Crate(id))
          }
        }
      }
      for task in tasks { try await task.value }
      #expect(realm.objects(Crate.self).count == 8)
    }
  }
}
