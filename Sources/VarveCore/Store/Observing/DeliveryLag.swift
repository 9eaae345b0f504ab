import VarveStorage

/// How late an observer is with taking what it is told.
struct DeliveryLag {
  /// The newest version, by its transaction, that was told of or asked for.
  private var known: UInt64 = 0
  /// Since when there is something that was not taken.
  private var since: ContinuousClock.Instant?
  private var hasWarned = false

  /// Notes a version. The notifier also tells when nothing was committed.
  mutating func note(_ newest: Snapshot, at now: ContinuousClock.Instant) {
    guard newest.transactionID > known else { return }
    known = newest.transactionID
    since = since ?? now
  }

  /// The observer takes everything up to a version.
  mutating func reset(aimingAt target: Snapshot) {
    known = max(known, target.transactionID)
    since = nil
    hasWarned = false
  }

  /// Compares the cost of being late with what it may be.
  ///
  /// - Returns: nil as long as it is less than half of that, and once the warning was given.
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

/// What a look at the version that an observer pins came to.
struct PinReview: Equatable {
  enum Verdict: Equatable {
    /// Half of the budget is used up.
    case warning
    /// The version was given up.
    case restart(RestartReason)
  }

  let verdict: Verdict
  let age: Duration
  let pinnedBytes: Int64
}
