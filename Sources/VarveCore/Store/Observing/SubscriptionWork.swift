import VarveStorage

/// The part of telling an observer what changed that takes time. It is run without a lock.
struct SubscriptionWork<Tracker: ChangeTracker> {
  /// From one version to a later one.
  struct Interval {
    let old: Snapshot
    let new: Snapshot
    let isSkipped: Bool
  }

  private(set) var tracker: Tracker
  /// The parts of the way; none: the tracker is started at the target.
  private let intervals: [Interval]
  let target: Snapshot
  private let restartReason: RestartReason?

  /// What came of it.
  private(set) var deliveries: [Delivery<Tracker>] = []
  /// Whether the last of the deliveries is the last for ever.
  private(set) var isOver = false
  private(set) var failure: Failure?

  init(_ tracker: Tracker, intervals: [Interval], target: Snapshot, restartReason: RestartReason?) {
    self.tracker = tracker
    self.intervals = intervals
    self.target = target
    self.restartReason = restartReason
  }

  /// Works out the deliveries.
  ///
  /// - Complexity: that of the changes on the way.
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
          // The end is told even if the commit is not.
          isOver = true
          add(.end(change), interval.new)
        }
      }
      // On damaged pages much looks as if it were not there: that must not be told.
      try store.checkSound()
    } catch {
      failure = error
    }
  }

  private mutating func add(_ content: Delivery<Tracker>.Content, _ snapshot: Snapshot) {
    deliveries.append(Delivery(content: content, tracker: tracker, snapshot: snapshot))
  }
}
