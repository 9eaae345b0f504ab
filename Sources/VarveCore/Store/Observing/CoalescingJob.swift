import Dispatch
import Synchronization

/// A job on a queue or actor. Requests before it begins are coalesced into one run.
///
/// Runs never overlap, even on a concurrent queue: a request during a run enqueues another run at
/// its end. A run sees everything that the requesting threads did before their requests.
///
/// Thread safety: any thread may use it.
final class CoalescingJob: Sendable {
  // States. Each change is a read-modify-write: if a request finds the job waiting or running, a
  // run that begins afterwards sees the requesting thread's writes.
  private static let idle: UInt8 = 0
  private static let waiting: UInt8 = 1
  private static let running: UInt8 = 2
  private static let runningAndRequested: UInt8 = 3

  private let executor: DeliveryExecutor
  private let state = Atomic<UInt8>(CoalescingJob.idle)

  init(at executor: DeliveryExecutor) { self.executor = executor }

  /// Enqueues the job, unless it is waiting already.
  ///
  /// - Parameter body: The closure to run, the same at each call. It runs once for all calls before
  ///   its start.
  /// - Returns: False when the actor was deallocated, so that nothing runs.
  @discardableResult
  func enqueue(_ body: @escaping @Sendable () -> Void) -> Bool {
    var current = state.load(ordering: .relaxed)
    while true {
      let next =
        switch current {
        case Self.idle, Self.waiting: Self.waiting
        default: Self.runningAndRequested
        }
      let (exchanged, original) = state.weakCompareExchange(
        expected: current, desired: next, ordering: .acquiringAndReleasing)
      if exchanged { break }
      current = original
    }
    guard current == Self.idle else { return true }
    let run: @Sendable () -> Void = { [self] in
      _ = state.exchange(Self.running, ordering: .acquiringAndReleasing)
      body()
      let ended = state.exchange(Self.idle, ordering: .acquiringAndReleasing)
      // One enqueued run serves all requests made during this run.
      if ended == Self.runningAndRequested { enqueue(body) }
    }
    switch executor {
    case .queue(let queue): queue.async(execute: run)
    case .actor(let reference):
      guard let actor = reference.actor else {
        _ = state.exchange(Self.idle, ordering: .acquiringAndReleasing)
        return false
      }
      Task { await Self.run(on: actor, run) }
    }
    return true
  }

  private static func run(on actor: isolated any Actor, _ job: @Sendable () -> Void) { job() }
}
