import VarveStorage

/// The time-consuming part of a delivery: computing the changes. It runs without a lock.
struct SubscriptionWork<Tracker: ChangeTracker> {
  /// An interval from one version to a later one.
  struct Interval {
    let old: Snapshot
    let new: Snapshot
    let isSkipped: Bool
  }

  private(set) var tracker: Tracker
  /// The intervals up to the target. When empty, the tracker is started at the target.
  private let intervals: [Interval]
  let target: Snapshot
  private let restartReason: RestartReason?

  /// The computed deliveries.
  private(set) var deliveries: [Delivery<Tracker>] = []
  /// Whether the last of the deliveries is the final one.
  private(set) var isOver = false
  private(set) var failure: Failure?

  init(_ tracker: Tracker, intervals: [Interval], target: Snapshot, restartReason: RestartReason?) {
    self.tracker = tracker
    self.intervals = intervals
    self.target = target
    self.restartReason = restartReason
  }

  /// Computes the deliveries.
  ///
  /// - Complexity: That of the changes in the intervals.
  mutating func run(in store: Store) {
    do throws(Failure) {
      guard !intervals.isEmpty else {
        isOver = try !tracker.start(at: target)
        add(.initial(restartReason), target)
        return try store.checkSound()
      }
      for interval in intervals where !isOver {
        let difference = store.differences.difference(
          from: interval.old, to: interval.new, in: store)
        switch try tracker.advance(difference) {
        case .none: break
        case .change(let change):
          if !interval.isSkipped { add(.change(change), interval.new) }
        case .end(let change):
          // The end is delivered even if its commit is skipped.
          isOver = true
          add(.end(change), interval.new)
        }
      }
      // Objects on damaged pages can appear to be missing. Such a state must not be delivered.
      try store.checkSound()
    } catch {
      failure = error
    }
  }

  private mutating func add(_ content: Delivery<Tracker>.Content, _ snapshot: Snapshot) {
    deliveries.append(Delivery(content: content, tracker: tracker, snapshot: snapshot))
  }
}
