import Testing
import VarveStorage

@testable import VarveCore

/// Commits that are skipped while an observer starts or restarts, and large numbers of skipped
/// commits.
@Suite struct SkippedCommitTests {
  /// The deliveries up to a version. The version is read before the state is queried.
  private func take(
    _ state: inout SubscriptionState<IntervalTracker>, _ newest: Snapshot, _ store: Store
  ) -> [DeliveredContent] {
    var delivered: [DeliveredContent] = []
    while true {
      switch state.next(newest) {
      case .nothing: return delivered
      case .deliver(let delivery): delivered.append(DeliveredContent(delivery))
      case .work(var work):
        work.run(in: store)
        if let delivery = state.finish(work) { delivered.append(DeliveredContent(delivery)) }
      }
    }
  }

  private func expect(
    _ state: inout SubscriptionState<IntervalTracker>, _ newest: Snapshot, _ store: Store,
    _ expected: [DeliveredContent], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let delivered = take(&state, newest, store)
    #expect(delivered == expected, sourceLocation: sourceLocation)
  }

  /// The observer has read the newest version, and is delayed until another thread has committed.
  @Test func initialStateIncludesSkippedCommit() throws {
    try withTemporaryStore { store in
      let base = try makeVersion(store)
      let first = base.version.counter
      var state = SubscriptionState(IntervalTracker(), since: nil)
      state.suspend(at: base)
      let silent = try makeVersion(store)
      state.resume(from: base, skipping: silent)
      expect(&state, base, store, [])
      #expect(state.isBehind(silent))
      expect(&state, silent, store, [.initial(first + 1)])
      try expect(&state, makeVersion(store), store, [.change(first + 1, first + 2)])
    }
  }

  @Test func restartedObserverIsNotNotifiedOfSkippedCommit() throws {
    try withTemporaryStore { store in
      let base = try makeVersion(store)
      let first = base.version.counter
      var state = SubscriptionState(IntervalTracker(), since: base)
      state.suspend(at: base)
      let silent = try makeVersion(store)
      state.resume(from: base, skipping: silent)
      let now = ContinuousClock.now
      let isBehind = state.note(silent, at: now)
      #expect(isBehind)
      let budget = PinBudget(age: .seconds(1), byteCount: 1 << 40)
      let review = state.review(silent, budget, at: now + .seconds(2))
      #expect(review?.verdict == .restart(.pinAge))
      expect(&state, base, store, [])
      expect(&state, silent, store, [.initial(first + 1, .pinAge)])
    }
  }

  @Test func consecutiveSkippedCommitsAreMerged() throws {
    try withTemporaryStore { store in
      var base = try makeVersion(store)
      let first = base.version.counter
      let limit = SubscriptionState<IntervalTracker>.maximumSkippedCommits
      var state = SubscriptionState(IntervalTracker(), since: base)
      for _ in 0..<3 * limit {
        state.suspend(at: base)
        let silent = try makeVersion(store)
        state.resume(from: base, skipping: silent)
        base = silent
      }
      // None of the versions in between is pinned.
      store.environment.releaseStaleSnapshot()
      #expect(store.environment.liveSnapshotCount <= 3)
      let end = first + 3 * UInt64(limit)
      try expect(&state, makeVersion(store), store, [.change(end, end + 1)])
    }
  }

  @Test func observerThatWouldPinTooManyVersionsRestarts() throws {
    try withTemporaryStore { store in
      var base = try makeVersion(store)
      let first = base.version.counter
      let limit = SubscriptionState<IntervalTracker>.maximumSkippedCommits
      var state = SubscriptionState(IntervalTracker(), since: base)
      for _ in 0...limit {
        base = try makeVersion(store)
        state.suspend(at: base)
        state.resume(from: base, skipping: try makeVersion(store))
      }
      let newest = try makeVersion(store)
      store.environment.releaseStaleSnapshot()
      #expect(store.environment.liveSnapshotCount <= 4)
      let end = first + 2 * UInt64(limit + 1) + 1
      expect(&state, newest, store, [.initial(end, .skippedCommits)])
    }
  }

  @Test func undeliveredEndIsDiscarded() throws {
    try withTemporaryStore { store in
      let base = try makeVersion(store)
      let first = base.version.counter
      var tracker = IntervalTracker(last: first + 3)
      tracker.isThere = false
      var state = SubscriptionState(tracker, since: base)
      let before = try makeVersion(store)
      state.suspend(at: before)
      state.resume(from: before, skipping: try makeVersion(store))
      let last = try makeVersion(store)
      guard case .work(var work) = state.next(last) else {
        Issue.record("There is no work.")
        return
      }
      work.run(in: store)
      let delivered = state.finish(work).map(DeliveredContent.init)
      #expect(delivered == .change(first, first + 1))
      // The end is ready and is not delivered.
      let newest = try makeVersion(store)
      let now = ContinuousClock.now
      _ = state.note(newest, at: now)
      let budget = PinBudget(age: .seconds(1), byteCount: 1 << 40)
      let review = state.review(newest, budget, at: now + .seconds(2))
      #expect(review?.verdict == .restart(.pinAge))
      expect(&state, newest, store, [.initial(first + 4, .pinAge)])
      #expect(state.hasEnded)
    }
  }
}
