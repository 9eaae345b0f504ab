import VarveStorage

/// The lag of an observer in taking its deliveries.
struct DeliveryLag {
  /// The newest version, by its transaction, that was noted or taken.
  private var lastNoted: UInt64 = 0
  /// The time since which a version has not been taken, or nil.
  private var since: ContinuousClock.Instant?
  private var hasWarned = false

  /// Notes a version. The notifier also calls this when nothing was committed.
  mutating func note(_ newest: Snapshot, at now: ContinuousClock.Instant) {
    guard newest.transactionID > lastNoted else { return }
    lastNoted = newest.transactionID
    since = since ?? now
  }

  /// Notes that the observer takes everything up to a version.
  mutating func reset(aimingAt target: Snapshot) {
    lastNoted = max(lastNoted, target.transactionID)
    since = nil
    hasWarned = false
  }

  /// Compares the cost of the lag with the budget.
  ///
  /// - Returns: Nil below half of the budget, and also below the whole budget once the warning was
  ///   returned.
  mutating func review(
    _ budget: PinBudget, pinnedBytes: Int64, versions: UInt64, at now: ContinuousClock.Instant
  ) -> PinReview? {
    guard let since else { return nil }
    let age = since.duration(to: now)
    func review(_ verdict: PinReview.Verdict) -> PinReview {
      PinReview(verdict: verdict, age: age, pinnedBytes: pinnedBytes)
    }
    if age > budget.age { return review(.restart(.pinAge)) }
    if pinnedBytes > budget.byteCount { return review(.restart(.pinnedBytes)) }
    if versions > budget.versions { return review(.restart(.pinnedVersions)) }
    guard
      !hasWarned,
      age > budget.age / 2 || pinnedBytes > budget.byteCount / 2 || versions > budget.versions / 2
    else { return nil }
    hasWarned = true
    return review(.warning)
  }
}

/// The result of reviewing the version that an observer pins.
struct PinReview: Equatable {
  enum Verdict: Equatable {
    /// Half of the budget is used.
    case warning
    /// The version was released.
    case restart(RestartReason)
  }

  let verdict: Verdict
  let age: Duration
  let pinnedBytes: Int64
}
