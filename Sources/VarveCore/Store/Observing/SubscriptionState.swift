import VarveStorage

/// What one observer was told, and what it is to be told next: a state machine that takes no lock and works
/// nothing out.
///
/// Work is given out by `next(_:)` and taken back by `finish(_:)`. In between the state may be told of
/// commits to leave out, and be ended, without waiting.
struct SubscriptionState<Tracker: ChangeTracker> {
  /// What there is to do for an observer that asks.
  enum Next {
    case nothing
    case deliver(Delivery<Tracker>)
    /// To be run, and then finished, by whoever got it.
    case work(SubscriptionWork<Tracker>)
  }

  private enum Phase {
    case going
    /// The last delivery is ready.
    case ending
    case ended
  }

  /// nil while somebody works with it, and after the end.
  private var tracker: Tracker?
  /// The version told last; nil before the first delivery.
  private(set) var delivered: Snapshot?
  private var restartReason: RestartReason?
  /// Commits to leave out, in order.
  private var skipped: [SkippedCommit] = []
  /// The versions before commits that are being made and will be left out: nothing after the first of them is
  /// told before that commit is known.
  private var barriers: [Snapshot] = []
  /// What is known already, in order: the parts of an interval with a skipped commit in it.
  private var ready: [Delivery<Tracker>] = []
  private var phase = Phase.going
  private(set) var isWorking = false
  /// The version, by its transaction, up to which nothing more is told: the work failed at the one before it, or
  /// the state is not told without a commit that was to be left out.
  private var earliest: UInt64 = 0
  private var lag = DeliveryLag()

  /// So many commits to leave out are known at most. Each pins its version.
  static var maximumSkippedCommits: Int { 64 }

  /// - Parameters:
  ///   - tracker: what is observed.
  ///   - snapshot: the version that the observer knows already; nil: it is told the state first.
  init(_ tracker: Tracker, knowing snapshot: Snapshot?) {
    self.tracker = tracker
    subject = tracker.subject
    delivered = snapshot
  }

  /// What is observed, for the log.
  let subject: String

  /// The versions that are held, by their transactions.
  var heldTransactions: [UInt64] {
    let left = skipped.flatMap { [$0.base.transactionID, $0.commit.transactionID] }
    return (delivered.map { [$0.transactionID] } ?? []) + left + ready.map(\.snapshot.transactionID)
  }

  /// Whether there is nothing more to be told.
  var hasEnded: Bool { phase == .ended }

  /// Whether a delivery is known already.
  var hasReady: Bool { !ready.isEmpty }

  /// Whether there is work up to a version.
  func isBehind(_ newest: Snapshot) -> Bool {
    guard phase == .going, barriers.isEmpty, newest.transactionID >= earliest else { return false }
    return delivered.map { $0.transactionID < newest.transactionID } ?? true
  }

  // MARK: Deliveries

  /// What to do next.
  ///
  /// - Parameter newest: the newest version, read before the state was locked; nil when it cannot be read.
  /// - Precondition: no work is under way.
  /// - Returns: a delivery, work, or nothing.
  mutating func next(_ newest: Snapshot?) -> Next {
    if hasReady { return .deliver(handOut()) }
    guard phase == .going, var target = newest else { return .nothing }
    for barrier in barriers where barrier.transactionID < target.transactionID { target = barrier }
    guard target.transactionID >= earliest else { return .nothing }
    lag.reset(aimingAt: target)
    if let delivered, delivered.transactionID >= target.transactionID { return .nothing }
    guard let tracker else { return .nothing }
    let intervals = takeLegs(to: target)
    self.tracker = nil
    isWorking = true
    return .work(
      SubscriptionWork(tracker, intervals: intervals, target: target, restartReason: restartReason))
  }

  /// Takes work back.
  ///
  /// - Returns: the first delivery that came of it; nil when there is none.
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
    restartReason = nil
    ready = work.deliveries
    if work.isOver { phase = .ending }
    return hasReady ? handOut() : nil
  }

  /// The way from the version told last to another one, in parts that are told and parts that are not; none
  /// when nothing was told yet.
  private mutating func takeLegs(to target: Snapshot) -> [SubscriptionWork<Tracker>.Interval] {
    let passed = skipped.prefix { $0.commit.transactionID <= target.transactionID }
    skipped.removeFirst(passed.count)
    guard var last = delivered else { return [] }
    var intervals: [SubscriptionWork<Tracker>.Interval] = []
    func add(_ end: Snapshot, isSkipped: Bool) {
      guard last.transactionID < end.transactionID else { return }
      intervals.append(.init(old: last, new: end, isSkipped: isSkipped))
      last = end
    }
    // One that begins before the version told last is in it already.
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

  // MARK: Letting go

  /// Has the observer hear nothing more.
  mutating func end() {
    phase = .ended
    tracker = nil
    barriers = []
    release()
  }

  /// Lets go of every version.
  private mutating func release() {
    delivered = nil
    skipped = []
    ready = []
  }

  /// Gives up the version told last: the next delivery is the whole state.
  private mutating func restart(because reason: RestartReason) {
    // The state has the commits in it that were to be left out.
    if let last = skipped.last { earliest = max(earliest, last.commit.transactionID) }
    release()
    restartReason = reason
    phase = .going
  }

  /// Notes that somebody committed.
  ///
  /// - Returns: whether there is something to do.
  mutating func note(_ newest: Snapshot, at now: ContinuousClock.Instant) -> Bool {
    lag.note(newest, at: now)
    return isBehind(newest)
  }

  /// Gives up the version told last when it costs more than it may: the next delivery is the whole state.
  ///
  /// - Returns: what to log; nil for nothing.
  mutating func review(
    _ newest: Snapshot, _ budget: PinBudget, at now: ContinuousClock.Instant
  ) -> PinReview? {
    // Who works is not stalled.
    guard !hasEnded, !isWorking, let delivered, delivered.transactionID < newest.transactionID
    else {
      return nil
    }
    // The notifier may not have come to it yet.
    lag.note(newest, at: now)
    guard
      let review = lag.review(
        budget, pinnedBytes: Int64(newest.fileBytes) - Int64(delivered.fileBytes),
        versions: newest.transactionID - delivered.transactionID, at: now)
    else { return nil }
    if case .restart(let reason) = review.verdict { restart(because: reason) }
    return review
  }

  // MARK: Commits to leave out

  /// Has nothing be told that comes after a version.
  mutating func suspend(at base: Snapshot) {
    if phase == .going { barriers.append(base) }
  }

  /// Lifts what `suspend(at:)` began.
  mutating func resume(from base: Snapshot, skipping commit: Snapshot?) {
    guard
      let place = barriers.firstIndex(where: { $0.transactionID == base.transactionID })
    else { return }
    barriers.remove(at: place)
    guard let commit else { return }
    // An observer that was not told anything yet is told the state with the commit in it.
    guard delivered != nil || isWorking else {
      earliest = max(earliest, commit.transactionID)
      return
    }
    skip(SkippedCommit(base: base, commit: commit))
  }

  /// Enters a commit to leave out; commits that follow each other are one.
  private mutating func skip(_ new: SkippedCommit) {
    var place =
      skipped.firstIndex { $0.base.transactionID > new.base.transactionID } ?? skipped.count
    skipped.insert(new, at: place)
    if place + 1 < skipped.count, skipped[place].leads(to: skipped[place + 1]) {
      skipped[place].commit = skipped.remove(at: place + 1).commit
    }
    if place > 0, skipped[place - 1].leads(to: skipped[place]) {
      skipped[place - 1].commit = skipped.remove(at: place).commit
      place -= 1
    }
    if skipped.count > Self.maximumSkippedCommits, !isWorking { restart(because: .skippedCommits) }
  }
}
