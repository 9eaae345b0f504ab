import VarveStorage

/// The delivery state of one observer, with what to deliver next: a state machine that takes no
/// lock and computes no changes.
///
/// `next(_:)` returns work and `finish(_:)` takes it back. In between, the state may skip commits
/// and be ended without waiting.
struct SubscriptionState<Tracker: ChangeTracker> {
  /// The next action for an observer that requests a delivery.
  enum Next {
    case nothing
    case deliver(Delivery<Tracker>)
    /// Work to be run, and then finished, by the receiver.
    case work(SubscriptionWork<Tracker>)
  }

  private enum Phase {
    case going
    /// The last delivery is ready.
    case ending
    case ended
  }

  /// The tracker; nil while work uses it, and after the end.
  private var tracker: Tracker?
  /// The last delivered version; nil before the first delivery.
  private(set) var delivered: Snapshot?
  /// The version of the initial delivery; nil for the newest one at that time, and after the
  /// delivery.
  private var first: Snapshot?
  private var restartReason: RestartReason?
  /// The commits to skip, in order.
  private var skipped: [SkippedCommit] = []
  /// The base versions of commits in progress that will be skipped. Nothing after the first of them
  /// is delivered before the outcome of its commit is known.
  private var barriers: [Snapshot] = []
  /// Deliveries that are already computed, in order: the parts of an interval that contains a
  /// skipped commit.
  private var ready: [Delivery<Tracker>] = []
  private var phase = Phase.going
  private(set) var isWorking = false
  /// The first version, by its transaction, at which delivery may continue: the work failed at the
  /// version before it, or the initial state must include a commit that was to be skipped.
  private var earliest: UInt64 = 0
  private var lag = DeliveryLag()

  /// The maximum number of skipped commits. Each pins its version.
  static var maximumSkippedCommits: Int { 64 }

  /// - Parameters:
  ///   - tracker: The tracker of the observed content.
  ///   - snapshot: The version that the observer has already read, or nil to receive an initial
  ///     delivery.
  ///   - first: The version of the initial delivery; nil for the newest one when it is taken.
  init(_ tracker: Tracker, since snapshot: Snapshot?, first: Snapshot? = nil) {
    self.tracker = tracker
    self.first = first
    subject = tracker.subject
    delivered = snapshot
  }

  /// A description of the observed content, for log messages.
  let subject: String

  /// The pinned versions, by the transactions of their reader slots.
  var pinnedTransactions: [UInt64] {
    let left = skipped.flatMap { [$0.base.slotID, $0.commit.slotID] }
    return (held.map { [$0.slotID] } ?? []) + left + ready.map(\.snapshot.slotID)
  }

  /// The last delivered version, or that of the initial delivery.
  private var held: Snapshot? { delivered ?? first }

  /// Whether there are no further deliveries.
  var hasEnded: Bool { phase == .ended }

  /// Whether a delivery is already computed.
  var hasReady: Bool { !ready.isEmpty }

  /// Returns whether there is work up to a version.
  func isBehind(_ newest: Snapshot) -> Bool {
    guard phase == .going, barriers.isEmpty, newest.transactionID >= earliest else { return false }
    return delivered.map { $0.transactionID < newest.transactionID } ?? true
  }

  // MARK: Deliveries

  /// Returns the next action.
  ///
  /// - Parameter newest: The newest version, read before the state was locked, or nil when it
  ///   cannot be read.
  /// - Precondition: No work is in progress.
  mutating func next(_ newest: Snapshot?) -> Next {
    if hasReady { return .deliver(handOut()) }
    guard phase == .going, var target = newest ?? first else { return .nothing }
    if delivered == nil, let first, first.transactionID < target.transactionID { target = first }
    for barrier in barriers where barrier.transactionID < target.transactionID { target = barrier }
    guard target.transactionID >= earliest else { return .nothing }
    lag.reset(aimingAt: target)
    if let delivered, delivered.transactionID >= target.transactionID { return .nothing }
    guard let tracker else { return .nothing }
    let intervals = takeIntervals(to: target)
    self.tracker = nil
    isWorking = true
    return .work(
      SubscriptionWork(tracker, intervals: intervals, target: target, restartReason: restartReason))
  }

  /// Takes work back.
  ///
  /// - Returns: The first delivery that it produced, or nil when there is none.
  mutating func finish(_ work: SubscriptionWork<Tracker>) -> Delivery<Tracker>? {
    isWorking = false
    // Ended meanwhile: nothing is kept.
    guard phase == .going else { return nil }
    tracker = work.tracker
    if work.failure != nil {
      restart(because: .failure)
      earliest = max(earliest, work.target.transactionID + 1)
      return nil
    }
    delivered = work.target
    first = nil
    restartReason = nil
    ready = work.deliveries
    if work.isOver { phase = .ending }
    return hasReady ? handOut() : nil
  }

  /// The intervals from the last delivered version to another one, delivered or skipped. Empty
  /// before the first delivery.
  private mutating func takeIntervals(to target: Snapshot) -> [SubscriptionWork<Tracker>.Interval] {
    let passed = skipped.prefix { $0.commit.transactionID <= target.transactionID }
    skipped.removeFirst(passed.count)
    guard var last = delivered else { return [] }
    var intervals: [SubscriptionWork<Tracker>.Interval] = []
    func add(_ end: Snapshot, isSkipped: Bool) {
      guard last.transactionID < end.transactionID else { return }
      intervals.append(.init(old: last, new: end, isSkipped: isSkipped))
      last = end
    }
    // A commit that begins before the last delivered version is already included in it.
    for part in passed where part.base.transactionID >= last.transactionID {
      add(part.base, isSkipped: false)
      add(part.commit, isSkipped: true)
    }
    add(target, isSkipped: false)
    return intervals
  }

  private mutating func handOut() -> Delivery<Tracker> {
    let delivery = ready.removeFirst()
    if phase == .ending, ready.isEmpty { end() }
    return delivery
  }

  // MARK: Releasing versions

  /// Ends all deliveries.
  mutating func end() {
    phase = .ended
    tracker = nil
    barriers = []
    release()
  }

  /// Releases every version.
  private mutating func release() {
    delivered = nil
    first = nil
    skipped = []
    ready = []
  }

  /// Gives up the last delivered version: the next delivery is the whole state, at the newest
  /// version.
  private mutating func restart(because reason: RestartReason) {
    // An observer that has received nothing loses nothing.
    let reason = held == nil || delivered != nil ? reason : restartReason
    // The state includes the commits that were to be skipped.
    if let last = skipped.last { earliest = max(earliest, last.commit.transactionID) }
    release()
    restartReason = reason
    phase = .going
  }

  /// Notes a commit.
  ///
  /// - Returns: Whether there is work to do.
  mutating func note(_ newest: Snapshot, at now: ContinuousClock.Instant) -> Bool {
    lag.note(newest, at: now)
    return isBehind(newest)
  }

  /// Gives up the last delivered version when it exceeds the pin budget: the next delivery is then
  /// the whole state.
  ///
  /// - Returns: The review to log, or nil for none.
  mutating func review(
    _ newest: Snapshot, _ budget: PinBudget, at now: ContinuousClock.Instant
  ) -> PinReview? {
    // An observer at work is not stalled.
    guard !hasEnded, !isWorking, let held, held.transactionID < newest.transactionID
    else {
      return nil
    }
    // The notifier may not have noted it yet.
    lag.note(newest, at: now)
    guard
      let review = lag.review(
        budget, pinnedBytes: Int64(newest.fileBytes) - Int64(held.fileBytes),
        versions: newest.transactionID - held.transactionID, at: now)
    else { return nil }
    if case .restart(let reason) = review.verdict { restart(because: reason) }
    return review
  }

  // MARK: Skipped commits

  /// Suspends deliveries of versions after `base`.
  mutating func suspend(at base: Snapshot) {
    if phase == .going { barriers.append(base) }
  }

  /// Ends the suspension that `suspend(at:)` began.
  mutating func resume(from base: Snapshot, skipping commit: Snapshot?) {
    guard
      let index = barriers.firstIndex(where: { $0.transactionID == base.transactionID })
    else { return }
    barriers.remove(at: index)
    guard let commit else { return }
    // An observer without a delivery receives the state including the commit.
    guard delivered != nil || isWorking else {
      first = nil
      earliest = max(earliest, commit.transactionID)
      return
    }
    skip(SkippedCommit(base: base, commit: commit))
  }

  /// Adds a skipped commit, merging consecutive ones.
  private mutating func skip(_ new: SkippedCommit) {
    var index =
      skipped.firstIndex { $0.base.transactionID > new.base.transactionID } ?? skipped.count
    skipped.insert(new, at: index)
    if index + 1 < skipped.count, skipped[index].leads(to: skipped[index + 1]) {
      skipped[index].commit = skipped.remove(at: index + 1).commit
    }
    if index > 0, skipped[index - 1].leads(to: skipped[index]) {
      skipped[index - 1].commit = skipped.remove(at: index).commit
      index -= 1
    }
    if skipped.count > Self.maximumSkippedCommits, !isWorking { restart(because: .skippedCommits) }
  }
}
