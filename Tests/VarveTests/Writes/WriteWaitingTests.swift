import Foundation
import Synchronization
import Testing
import Varve
import VarveCore
import VarveLocks
import VarveTestSupport

@Suite struct WriteWaitingTests {
  // MARK: Absence of deadlocks

  @Test(.timeLimit(.minutes(1)))
  func syncAndAsyncWritersMayFillPool() async throws {
    try await withTemporaryRealm { realm, _ in
      let crate = Crate(1)
      try await realm.write { realm.add(crate) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<220 {
          group.addTask {
            if number % 11 == 0 {
              try await realm.asyncWrite { crate.weight += 1 }
            } else {
              try realm.writeSynchronously { crate.weight += 1 }
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(crate.weight == 220)
    }
  }

  /// An actor that writes in both ways, and can be kept busy.
  private actor Desk {
    let realm: Realm
    let crate: Crate
    init(_ realm: Realm, _ crate: Crate) {
      self.realm = realm
      self.crate = crate
    }

    func writeAsync(_ also: @escaping @Sendable () -> Void = {}) async throws {
      let crate = crate
      try await realm.asyncWrite {
        crate.weight += 1
        also()
      }
    }

    func writeSync() throws { try realm.write { crate.weight += 1 } }

    func stayBusy(_ isBusy: DispatchSemaphore, until end: DispatchSemaphore) {
      isBusy.signal()
      end.wait()
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func oneActorMixesSyncAndAsyncWrites() async throws {
    try await withTemporaryRealm { realm, _ in
      let crate = Crate(1)
      try await realm.write { realm.add(crate) }
      let desk = Desk(realm, crate)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<50 {
          group.addTask { try await desk.writeAsync() }
          group.addTask { try await desk.writeSync() }
        }
        try await group.waitForAll()
      }
      #expect(crate.weight == 100)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func asyncWriteRunsWhileItsActorIsBusy() async throws {
    try await withTemporaryRealm { realm, store in
      let crate = Crate(1)
      try await realm.write { realm.add(crate) }
      let core = try store.configuration.store()
      let desk = Desk(realm, crate)
      let isBusy = DispatchSemaphore(value: 0)
      let isWritten = DispatchSemaphore(value: 0)
      let held = OpenWrite(store.configuration)
      let writing = Task { try await desk.writeAsync { isWritten.signal() } }
      while core.waitingWriteCount < 1 { await Task.yield() }
      // The actor stays busy until the closure has run; no thread of the pool is needed for that.
      Thread.detachNewThread {
        isBusy.wait()
        held.end()
      }
      await desk.stayBusy(isBusy, until: isWritten)
      try await writing.value
      #expect(crate.weight == 1)
    }
  }

  // MARK: Cancellation

  @Test func waitingAsyncWriteCanBeCancelled() async throws {
    try await withTemporaryRealm { realm, store in
      let core = try store.configuration.store()
      let held = OpenWrite(store.configuration)
      var tasks: [Task<Void, any Error>] = []
      for id in 0..<3 {
        tasks.append(Task { try await realm.asyncWrite { realm.add(Crate(id)) } })
        while core.waitingWriteCount <= id { await Task.yield() }
      }
      tasks[1].cancel()
      await expectCancellation(of: tasks[1])
      held.end()
      try await tasks[0].value
      try await tasks[2].value
      #expect(realm.objects(Crate.self).map(\.id) == [0, 2])
    }
  }

  @Test func cancelledTaskDoesNotBeginAsyncWrite() async throws {
    try await withTemporaryRealm { realm, _ in
      let hasRun = Atomic<Bool>(false)
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        try await realm.asyncWrite { hasRun.store(true, ordering: .relaxed) }
      }
      task.cancel()
      await expectCancellation(of: task)
      try await realm.asyncWrite {}
      #expect(hasRun.load(ordering: .relaxed) == false)
    }
  }

  @Test func waitingSyncWriteCanBeCancelled() async throws {
    try await withTemporaryRealm { realm, store in
      let held = OpenWrite(store.configuration)
      let thread = Lock<pid_t>(0)
      let task = Task {
        thread.withLock { $0 = threadID() }
        try realm.writeSynchronously { realm.add(Crate(1)) }
      }
      var waiter: pid_t = 0
      while waiter == 0 {
        await Task.yield()
        waiter = thread.withLock { $0 }
      }
      waitUntilAsleep(waiter)
      task.cancel()
      await expectCancellation(of: task)
      held.end()
      #expect(realm.objects(Crate.self).isEmpty)
    }
  }

  // MARK: Busy

  @Test func timedOutWriteThrowsBusy() throws {
    try withTemporaryRealm({ $0.writeTimeout = .milliseconds(30) }) { realm, store in
      let held = OpenWrite(store.configuration)
      let error = thrownError { try realm.write {} }
      #expect(error?.code == .busy)
      #expect(error?.processID == getpid())
      let since = try #require(error?.since)
      #expect(abs(since - Date().timeIntervalSince1970) < 3600)
      held.end()
      try realm.write { realm.add(Crate(1)) }
    }
  }

  /// Each write has its own timeout, and they expire concurrently.
  @Test(.timeLimit(.minutes(1)))
  func allWaitingAsyncWritesTimeOut() async throws {
    try await withTemporaryRealm({ $0.writeTimeout = .milliseconds(500) }) { realm, store in
      let held = OpenWrite(store.configuration)
      let tasks = (0..<300).map { id in
        Task { try await realm.asyncWrite { realm.add(Crate(id)) } }
      }
      for task in tasks {
        do {
          try await task.value
          Issue.record("The lock is held.")
        } catch let error as Realm.Error {
          #expect(error.code == .busy)
          #expect(error.processID == getpid())
        }
      }
      held.end()
      try await realm.asyncWrite { realm.add(Crate(1)) }
      #expect(realm.objects(Crate.self).count == 1)
    }
  }

  @Test func stoppedWritingProcessIsReported() async throws {
    try await withTemporaryRealm({ $0.writeTimeout = .milliseconds(60) }) { realm, store in
      let process = TestProcess(["realmHold", store.path])
      #expect(process.line() == "held")
      kill(process.pid, SIGSTOP)
      for isAsync in [false, true] {
        do {
          if isAsync {
            try await realm.asyncWrite {}
          } else {
            try realm.writeSynchronously {}
          }
          Issue.record("The lock is held.")
        } catch let error as Realm.Error {
          #expect(error.code == .busy)
          #expect(error.processID == process.pid)
          #expect((error.since ?? 0) > 1_000_000_000)
        }
      }
      // Reads do not wait.
      #expect(realm.objects(Crate.self).isEmpty)
      kill(process.pid, SIGCONT)
      process.go()
      #expect(process.line() == "released")
      try realm.refresh()
      #expect(realm.objects(Crate.self).isEmpty)
      try await realm.write { realm.add(Crate(1)) }
    }
  }

  @Test func killedProcessReleasesLock() throws {
    try withTemporaryRealm { realm, store in
      let process = TestProcess(["realmHold", store.path])
      #expect(process.line() == "held")
      process.kill()
      try realm.write { realm.add(Crate(1)) }
      #expect(realm.objects(Crate.self).map(\.id) == [1])
    }
  }

  @Test func waitForStoppedProcessIsCancelled() async throws {
    try await withTemporaryRealm { realm, store in
      let process = TestProcess(["realmHold", store.path])
      #expect(process.line() == "held")
      kill(process.pid, SIGSTOP)
      let sync = Task { try realm.writeSynchronously {} }
      let async = Task { try await realm.asyncWrite {} }
      sync.cancel()
      async.cancel()
      await expectCancellation(of: sync)
      await expectCancellation(of: async)
      kill(process.pid, SIGCONT)
      process.go()
      #expect(process.line() == "released")
    }
  }
}
