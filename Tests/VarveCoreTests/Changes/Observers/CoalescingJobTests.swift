import Dispatch
import Synchronization
import Testing
import VarveLocks
import VarveStorage

@testable import VarveCore

struct CoalescingJobTests {
  @Test func requestsBeforeStartRunOnce() {
    let queue = DispatchQueue(label: "test")
    let job = CoalescingJob(at: .queue(queue))
    let runs = RunCount()
    queue.suspend()
    for _ in 0..<10 { job.enqueue { runs.add() } }
    queue.resume()
    queue.sync {}
    #expect(runs.count == 1)
  }

  @Test func requestDuringRunCausesOneMoreRun() {
    let queue = DispatchQueue(label: "test")
    let job = CoalescingJob(at: .queue(queue))
    let runs = RunCount()
    @Sendable func body() {
      runs.add()
      guard runs.count == 1 else { return }
      for _ in 0..<3 { job.enqueue(body) }
    }
    job.enqueue(body)
    // The second run is enqueued behind the first.
    queue.sync {}
    queue.sync {}
    #expect(runs.count == 2)
  }

  @Test func concurrentQueueRunsDoNotOverlapAndLoseNoRequest() {
    let job = CoalescingJob(at: .queue(.global()))
    let requested = Atomic<Int>(0)
    let running = Atomic<Int>(0)
    let overlaps = Atomic<Int>(0)
    let seen = Lock(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<500 {
        requested.add(1, ordering: .relaxed)
        job.enqueue {
          if running.add(1, ordering: .relaxed).oldValue > 0 {
            overlaps.add(1, ordering: .relaxed)
          }
          let now = requested.load(ordering: .relaxed)
          seen.withLock { $0 = max($0, now) }
          running.subtract(1, ordering: .relaxed)
          seen.notify()
        }
      }
    }
    let last = seen.wait(for: .seconds(60)) { $0 == 2000 ? $0 : nil }
    #expect(last == 2000)
    #expect(overlaps.load(ordering: .relaxed) == 0)
  }

  @Test func jobOnDeallocatedActorIsRefused() {
    actor Owner {}
    var owner: Owner? = Owner()
    let job = owner.map { CoalescingJob(at: .actor(.init($0))) }
    owner = nil
    #expect(job?.enqueue {} == false)
    #expect(job?.enqueue {} == false)
  }
}

private final class RunCount: Sendable {
  private let runs = Atomic<Int>(0)

  var count: Int { runs.load(ordering: .relaxed) }

  func add() { runs.add(1, ordering: .relaxed) }
}
