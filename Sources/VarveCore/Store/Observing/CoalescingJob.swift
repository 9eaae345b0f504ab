import Dispatch
import Synchronization

/// A job on a queue or actor. Requests before it begins are coalesced into one run.
///
/// Runs never overlap, on a concurrent queue either: a request during a run enqueues another one at its end. A run sees
/// all that the requesting threads did before their requests.
///
/// Thread safety: any thread may use it.
final class CoalescingJob: Sendable {
  // States. Each change is a read-modify-write, so that whoever finds the job waiting or running is seen by a run that
  // begins afterwards.
  private static let idle: UInt8 = 0
  private static let waiting: UInt8 = 1
  private static let running: UInt8 = 2
  private static let runningAndWanted: UInt8 = 3

  private let place: DeliveryExecutor
  private let state = Atomic<UInt8>(CoalescingJob.idle)

  init(at place: DeliveryExecutor) { self.place = place }

  /// Enqueues the job, unless it waits already.
  ///
  /// - Parameter body: the same at each call; it runs once for all calls before its start.
  /// - Returns: false when the actor is gone, which runs nothing.
  @discardableResult
  func enqueue(_ body: @escaping @Sendable () -> Void) -> Bool {
    var known = state.load(ordering: .relaxed)
    while true {
      let next =
        switch known {
        case Self.idle, Self.waiting: Self.waiting
        default: Self.runningAndWanted
        }
      let (exchanged, original) = state.weakCompareExchange(
        expected: known, desired: next, ordering: .acquiringAndReleasing)
      if exchanged { break }
      known = original
    }
    guard known == Self.idle else { return true }
    let run: @Sendable () -> Void = { [self] in
      _ = state.exchange(Self.running, ordering: .acquiringAndReleasing)
      body()
      let ended = state.exchange(Self.idle, ordering: .acquiringAndReleasing)
      // Whoever requests a run in between enqueues it for all.
      if ended == Self.runningAndWanted { enqueue(body) }
    }
    switch place {
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
