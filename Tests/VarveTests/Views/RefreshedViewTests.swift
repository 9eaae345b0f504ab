import Dispatch
import Foundation
import Testing
import Varve
import VarveCore
import VarveLocks
import VarveStorage
import VarveTestSupport

@Suite struct RefreshedViewTests {
  /// Expects that a condition becomes true on a queue, and polls it with jobs there.
  private func expectSoon(
    on queue: DispatchQueue, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: @escaping @Sendable () -> Bool
  ) {
    let deadline = ContinuousClock.now + .seconds(30)
    while !queue.sync(execute: condition) {
      if ContinuousClock.now > deadline {
        Issue.record("It has not come to hold.", sourceLocation: sourceLocation)
        return
      }
      usleep(500)
    }
  }

  @Test func commitRefreshesQueueRealm() throws {
    try withTemporaryRealm { realm, store in
      let queue = DispatchQueue(label: "test")
      let watching = try queue.sync { try Realm(configuration: store.configuration, queue: queue) }
      let sheep = watching.objects(Sheep.self)
      try realm.write { realm.add(Sheep(1)) }
      expectSoon(on: queue) { sheep.count == 1 }
      try realm.write { realm.add(Sheep(2)) }
      expectSoon(on: queue) { sheep.count == 2 }
      #expect(watching.version == realm.version)
    }
  }

  @Test func commitOfAnotherProcessRefreshesQueueRealm() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Tally(value: ["id": 1])) }
      let queue = DispatchQueue(label: "test")
      let watching = try Realm(configuration: store.configuration, queue: queue)
      let tally = try #require(watching.objects(Tally.self).first)
      let process = TestProcess(["viewIncrement", store.path, "1", "3"])
      #expect(process.line() == "ready")
      let before = queue.sync { tally.value }
      #expect(before == 0)
      process.go()
      expectSoon(on: queue) { tally.value == 3 }
      #expect(process.line() == "done")
      process.wait()
    }
  }

  @Test func queueRealmKeepsVersionDuringJob() throws {
    try withTemporaryRealm { realm, store in
      let queue = DispatchQueue(label: "test")
      let watching = try Realm(configuration: store.configuration, queue: queue)
      let sheep = watching.objects(Sheep.self)
      // Live realms are notified in order of creation.
      let other = DispatchQueue(label: "later")
      let later = try Realm(configuration: store.configuration, queue: other)
      // While a job of the queue runs, commits are delivered but the realm does not move.
      try queue.sync {
        for id in 1...3 {
          try realm.write { realm.add(Sheep(id)) }
          expectSoon(on: other) { later.objects(Sheep.self).count == id }
          #expect(sheep.isEmpty)
        }
      }
      expectSoon(on: queue) { sheep.count == 3 }
    }
  }

  @Test func realmWithoutQueueIsNotRefreshed() throws {
    try withTemporaryRealm { realm, store in
      let plain = try Realm(configuration: store.configuration, queue: nil)
      try realm.write { realm.add(Sheep(1)) }
      #expect(plain.objects(Sheep.self).isEmpty)
      #expect(try store.configuration.store().notifier.isRunning == false)
    }
  }

  @Test func oneJobRefreshesActorRealmForManyCommits() async throws {
    try await withTemporaryRealm { realm, store in
      let executor = SuspendableExecutor()
      let shop = Shop(executor)
      executor.letThrough()
      try await shop.open(store.configuration)
      #expect(await shop.count == 0)
      // Live realms are notified in order of creation.
      let queue = DispatchQueue(label: "test")
      let later = try Realm(configuration: store.configuration, queue: queue)
      executor.suspend()
      for id in 1...5 {
        try await realm.write { realm.add(Sheep(id)) }
        expectSoon(on: queue) { later.objects(Sheep.self).count == id }
      }
      // Every commit was delivered; the waiting job covers all of them.
      executor.waitForJob()
      #expect(executor.suspendedCount == 1)
      executor.letThrough()
      #expect(await shop.count == 5)
      #expect(await shop.version == realm.version)
    }
  }

  @Test func actorOwningItsRealmIsReleased() async throws {
    try await withTemporaryRealm { realm, store in
      let core = try store.configuration.store()
      weak var shop: Shop?
      weak var view: Realm?
      do {
        let executor = SuspendableExecutor()
        executor.letThrough()
        let opened = Shop(executor)
        try await opened.open(store.configuration)
        shop = opened
        view = await opened.realm
        #expect(view != nil)
        #expect(core.notifier.isRunning)
      }
      #expect(shop == nil)
      #expect(view == nil)
      // The next wake-up finds no listener, so the thread ends.
      try await realm.write { realm.add(Sheep(1)) }
      core.notifier.waitForEnd()
      #expect(core.notifier.isRunning == false)
      // A later live realm starts the thread again.
      let executor = SuspendableExecutor()
      executor.letThrough()
      let other = Shop(executor)
      try await other.open(store.configuration)
      #expect(core.notifier.isRunning)
      #expect(await other.count == 1)
    }
  }

  @Test func releasedRealmWithWaitingJobPinsNothing() throws {
    try withTemporaryRealm { realm, store in
      let environment = try store.configuration.store().environment
      let queue = DispatchQueue(label: "test")
      queue.suspend()
      weak var dropped: Realm?
      do {
        let watching = try Realm(configuration: store.configuration, queue: queue)
        dropped = watching
        // It is notified after the first realm, whose job then waits.
        let other = DispatchQueue(label: "later")
        let later = try Realm(configuration: store.configuration, queue: other)
        try realm.write { realm.add(Sheep(1)) }
        expectSoon(on: other) { later.objects(Sheep.self).count == 1 }
        #expect(watching.objects(Sheep.self).isEmpty)
      }
      #expect(dropped == nil)
      try realm.write { realm.add(Sheep(2)) }
      environment.releaseStaleSnapshot()
      try store.configuration.store().notifier.waitForEnd()
      environment.releaseStaleSnapshot()
      #expect(environment.liveSnapshotCount <= 1)
      queue.resume()
      queue.sync {}
    }
  }

  @Test func closingStopsNotifier() throws {
    try withTemporaryRealm { realm, store in
      let core = try store.configuration.store()
      let queue = DispatchQueue(label: "test")
      let watching = try Realm(configuration: store.configuration, queue: queue)
      #expect(core.notifier.isRunning)
      try Realm.close(store.configuration)
      #expect(core.notifier.isRunning == false)
      let view = try? core.makeView(refreshedAt: .queue(queue))
      #expect(view == nil)
      // A new store has its own notifier, which does not refresh the old realm.
      let other = try Realm(configuration: store.configuration, queue: queue)
      let writer = try store.open()
      try writer.write { writer.add(Sheep(1)) }
      expectSoon(on: queue) { other.objects(Sheep.self).count == 1 }
      #expect(watching.objects(Sheep.self).isEmpty)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  @MainActor func commitRefreshesMainActorRealm() async throws {
    let store = try TemporaryRealm()
    let watching = try await Realm(configuration: store.configuration, actor: MainActor.shared)
    try await store.open().asyncWrite { _ = try store.open().create(Sheep.self, value: ["id": 1]) }
    // Each suspension allows jobs of the actor to run.
    while watching.objects(Sheep.self).isEmpty { await Task.yield() }
    #expect(watching.objects(Sheep.self).count == 1)
    store.end()
  }

  @Test func commitRefreshesManyRealms() throws {
    try withTemporaryRealm { realm, store in
      let queues = (0..<20).map { DispatchQueue(label: "test \($0)") }
      let views = try queues.map { try Realm(configuration: store.configuration, queue: $0) }
      for _ in 0..<200 { _ = try Realm(configuration: store.configuration, queue: queues[0]) }
      try realm.write { realm.add(Sheep(1)) }
      for (queue, view) in zip(queues, views) {
        expectSoon(on: queue) { view.objects(Sheep.self).count == 1 }
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func refreshRacesWithOpeningAndReleasingRealms() throws {
    try withTemporaryRealm { realm, store in
      let ended = Progress()
      onThreads(3) { number in
        if number == 0 {
          defer { ended.add() }
          for id in 0..<200 { try realm.write { realm.add(Sheep(id)) } }
          return
        }
        let queue = DispatchQueue(label: "test \(number)")
        var last = 0
        while ended.count == 0 {
          let view = try Realm(configuration: store.configuration, queue: queue)
          for _ in 0..<5 {
            let count = queue.sync { view.objects(Sheep.self).count }
            #expect(count >= last)
            last = count
          }
        }
      }
    }
  }
}

/// An actor that owns a realm.
private actor Shop {
  private(set) var realm: Realm?
  private let executor: SuspendableExecutor

  init(_ executor: SuspendableExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func open(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  var count: Int { realm?.objects(Sheep.self).count ?? -1 }
  var version: Realm.Version? { realm?.version }
}

/// An executor whose jobs can be suspended and counted.
private final class SuspendableExecutor: SerialExecutor, Sendable {
  private struct State {
    var isSuspended = true
    var suspended: [UnownedJob] = []
  }
  private let state = Lock(State())
  private let queue = DispatchQueue(label: "held")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustRun = state.withLock { state in
      if state.isSuspended { state.suspended.append(job) }
      return !state.isSuspended
    }
    if mustRun { run(job) } else { state.notify() }
  }

  private func run(_ job: UnownedJob) {
    queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  /// Suspends jobs from now on.
  func suspend() {
    queue.sync {}
    state.withLock { $0.isSuspended = true }
  }

  /// Runs the suspended jobs, and all later jobs.
  func letThrough() {
    let jobs = state.withLock { state in
      state.isSuspended = false
      defer { state.suspended = [] }
      return state.suspended
    }
    for job in jobs { run(job) }
  }

  /// The number of suspended jobs.
  var suspendedCount: Int { state.withLock { $0.suspended.count } }

  /// Waits until a job is suspended.
  func waitForJob() { state.wait { $0.suspended.isEmpty ? nil : () } }
}
