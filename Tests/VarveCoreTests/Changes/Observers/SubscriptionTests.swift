import Foundation
import Testing
import VarveLocks
import VarveStorage
import VarveTestSupport

@testable import VarveCore

/// How an observer advances through the versions.
@Suite struct SubscriptionTests {
  @Test func initialStateIsFollowedByStepsFromDeliveredVersion() throws {
    try withTemporaryStore { store in
      let first = try makeVersion(store).version.counter
      let subscription = Subscription(IntervalTracker(), of: store)
      #expect(subscription.takeAll() == [.initial(first)])
      for _ in 0..<3 { try makeVersion(store) }
      #expect(subscription.isBehind)
      #expect(subscription.takeAll() == [.change(first, first + 3)])
      #expect(!subscription.isBehind)
      #expect(subscription.takeAll().isEmpty)
    }
  }

  @Test func observerOfKnownVersionReceivesOnlyLaterChanges() throws {
    try withTemporaryStore { store in
      let known = try makeVersion(store)
      let first = known.version.counter
      let subscription = Subscription(IntervalTracker(), of: store, since: known)
      #expect(subscription.takeAll().isEmpty)
      try makeVersion(store)
      #expect(subscription.takeAll() == [.change(first, first + 1)])
    }
  }

  @Test func initialStateIsThatOfGivenVersion() throws {
    try withTemporaryStore { store in
      let start = try makeVersion(store)
      let first = start.version.counter
      let subscription = Subscription(IntervalTracker(), of: store, first: start)
      #expect(subscription.pins.map(\.transactionID) == [start.slotID])
      for _ in 0..<2 { try makeVersion(store) }
      #expect(subscription.takeAll() == [.initial(first), .change(first, first + 2)])
      #expect(subscription.pins.map(\.transactionID) != [start.slotID])
    }
  }

  @Test func initialStateIsNoLaterThanLimit() throws {
    try withTemporaryStore { store in
      let limit = try makeVersion(store)
      let first = limit.version.counter
      let subscription = Subscription(
        IntervalTracker(), of: store, first: try makeVersion(store))
      #expect(subscription.take(upTo: limit).map { DeliveredContent($0) } == .initial(first))
    }
  }

  @Test func versionOfInitialStateIsReleasedPastBudget() throws {
    try withTemporaryStore { store in
      let start = try makeVersion(store)
      var state = SubscriptionState(IntervalTracker(), since: nil, first: start)
      let newest = try makeVersion(store)
      let budget = PinBudget(age: .seconds(10), byteCount: 1 << 40)
      let now = ContinuousClock.now
      _ = state.note(newest, at: now)
      #expect(state.pinnedTransactions == [start.slotID])
      let review = state.review(newest, budget, at: now + .seconds(11))
      #expect(review?.verdict == .restart(.pinAge))
      #expect(state.pinnedTransactions.isEmpty)
      guard case .work(var work) = state.next(newest) else {
        Issue.record("There is nothing to deliver.")
        return
      }
      work.run(in: store)
      // Nothing was delivered before, so that nothing is lost.
      #expect(state.finish(work).map { DeliveredContent($0) } == .initial(newest.version.counter))
    }
  }

  @Test func skippedCommitSplitsInterval() throws {
    try withTemporaryStore { store in
      let start = try makeVersion(store)
      let first = start.version.counter
      let subscription = Subscription(IntervalTracker(), of: store, since: start)
      let base = try makeVersion(store)
      subscription.suspend(at: base)
      let silent = try makeVersion(store)
      // No change after the base is delivered before the commit is known.
      #expect(subscription.takeAll() == [.change(first, first + 1)])
      #expect(!subscription.isBehind)
      subscription.resume(from: base, skipping: silent)
      try makeVersion(store)
      #expect(subscription.isBehind)
      #expect(subscription.takeAll() == [.change(first + 2, first + 3)])
    }
  }

  @Test func changesBeforeAndAfterSkippedCommitAreReadyTogether() throws {
    try withTemporaryStore { store in
      let start = try makeVersion(store)
      let first = start.version.counter
      let subscription = Subscription(IntervalTracker(), of: store, since: start)
      let base = try makeVersion(store)
      subscription.suspend(at: base)
      subscription.resume(from: base, skipping: try makeVersion(store))
      try makeVersion(store)
      let delivered = try #require(subscription.take())
      #expect(DeliveredContent(delivered) == .change(first, first + 1))
      #expect(subscription.hasReady)
      #expect(subscription.takeAll() == [.change(first + 2, first + 3)])
    }
  }

  /// The second writer begins before the first has reported its commit.
  @Test(arguments: [true, false]) func twoWritersSkipSameObserver(
    firstResumesFirst: Bool
  ) throws {
    try withTemporaryStore { store in
      let base = try makeVersion(store)
      let first = base.version.counter
      let subscription = Subscription(IntervalTracker(), of: store, since: base)
      subscription.suspend(at: base)
      let one = try makeVersion(store)
      subscription.suspend(at: one)
      let two = try makeVersion(store)
      #expect(subscription.takeAll().isEmpty)
      if firstResumesFirst {
        subscription.resume(from: base, skipping: one)
        #expect(subscription.takeAll().isEmpty)
        subscription.resume(from: one, skipping: two)
      } else {
        subscription.resume(from: one, skipping: two)
        #expect(subscription.takeAll().isEmpty)
        subscription.resume(from: base, skipping: one)
      }
      try makeVersion(store)
      #expect(subscription.takeAll() == [.change(first + 2, first + 3)])
    }
  }

  @Test func rolledBackWriteSkipsNothing() throws {
    try withTemporaryStore { store in
      let base = try makeVersion(store)
      let first = base.version.counter
      let subscription = Subscription(IntervalTracker(), of: store, since: base)
      subscription.suspend(at: base)
      subscription.suspend(at: base)
      subscription.resume(from: base, skipping: nil)
      let silent = try makeVersion(store)
      #expect(subscription.takeAll().isEmpty)
      subscription.resume(from: base, skipping: silent)
      try makeVersion(store)
      #expect(subscription.takeAll() == [.change(first + 1, first + 2)])
    }
  }

  @Test func initialStateIncludesEarlierSkippedCommit() throws {
    try withTemporaryStore { store in
      let base = try makeVersion(store)
      let first = base.version.counter
      let subscription = Subscription(IntervalTracker(), of: store)
      subscription.suspend(at: base)
      subscription.resume(from: base, skipping: try makeVersion(store))
      #expect(subscription.takeAll() == [.initial(first + 1)])
      try makeVersion(store)
      #expect(subscription.takeAll() == [.change(first + 1, first + 2)])
    }
  }

  @Test func endIsLastDelivery() throws {
    try withTemporaryStore { store in
      let start = try makeVersion(store)
      let first = start.version.counter
      let subscription = Subscription(
        IntervalTracker(last: first + 1), of: store, since: start)
      let base = try makeVersion(store)
      // The tracker must not advance past its end, over a skipped commit.
      subscription.suspend(at: base)
      subscription.resume(from: base, skipping: try makeVersion(store))
      try makeVersion(store)
      #expect(subscription.takeAll() == [.end(first, first + 1)])
      #expect(subscription.hasEnded)
      try makeVersion(store)
      #expect(subscription.takeAll().isEmpty)
      #expect(subscription.deliveredSnapshot == nil)
    }
  }

  @Test func endInSkippedCommitIsDelivered() throws {
    try withTemporaryStore { store in
      let base = try makeVersion(store)
      let first = base.version.counter
      let subscription = Subscription(
        IntervalTracker(last: first + 1), of: store, since: base)
      subscription.suspend(at: base)
      subscription.resume(from: base, skipping: try makeVersion(store))
      #expect(subscription.takeAll() == [.end(first, first + 1)])
    }
  }

  @Test func deletedSubjectIsDeliveredOnce() throws {
    try withTemporaryStore { store in
      let first = try makeVersion(store).version.counter
      let subscription = Subscription(IntervalTracker(isThere: false), of: store)
      #expect(subscription.takeAll() == [.initial(first)])
      #expect(subscription.hasEnded)
    }
  }

  @Test func failureIsNotRetriedAtSameVersion() throws {
    try withTemporaryStore { store in
      let start = try makeVersion(store)
      let first = start.version.counter
      let steps = Lock(0)
      let tracker = IntervalTracker(
        during: { _ in steps.withLock { $0 += 1 } }, failing: first + 1)
      let subscription = Subscription(tracker, of: store, since: start)
      try makeVersion(store)
      #expect(subscription.takeAll().isEmpty)
      #expect(!subscription.isBehind)
      #expect(subscription.takeAll().isEmpty)
      #expect(steps.withLock { $0 } == 1)
      try makeVersion(store)
      #expect(subscription.isBehind)
      #expect(subscription.takeAll() == [.initial(first + 2, .failure)])
    }
  }

  @Test(.timeLimit(.minutes(1))) func suspendAndEndDoNotWaitForRunningWork() throws {
    try withTemporaryStore { store in
      let start = try makeVersion(store)
      let began = DispatchSemaphore(value: 0)
      let mayEnd = DispatchSemaphore(value: 0)
      let tracker = IntervalTracker(during: { _ in
        began.signal()
        mayEnd.wait()
      })
      let subscription = Subscription(tracker, of: store, since: start)
      let base = try makeVersion(store)
      let taken = Lock<[DeliveredContent]?>(nil)
      Thread.detachNewThread {
        let delivered = subscription.takeAll()
        taken.withLock { $0 = delivered }
        taken.notify()
      }
      began.wait()
      subscription.suspend(at: base)
      subscription.resume(from: base, skipping: nil)
      #expect(!subscription.hasReady)
      subscription.end()
      #expect(subscription.hasEnded)
      mayEnd.signal()
      // The step that was being computed at the end is not delivered.
      #expect(taken.wait { $0 } == [])
      #expect(subscription.deliveredSnapshot == nil)
    }
  }

  @Test func lateObserverIsWarnedThenRestarted() throws {
    try withTemporaryStore { store in
      let start = try makeVersion(store)
      let first = start.version.counter
      var state = SubscriptionState(IntervalTracker(), since: start)
      let budget = PinBudget(age: .seconds(10), byteCount: 1 << 40)
      let now = ContinuousClock.now
      let newest = try makeVersion(store)
      // The subscription has not been notified of the version yet: it is late from now on.
      #expect(state.review(newest, budget, at: now) == nil)
      _ = state.note(newest, at: now)
      _ = state.note(newest, at: now + .seconds(3))
      #expect(state.review(newest, budget, at: now + .seconds(4)) == nil)
      #expect(state.review(newest, budget, at: now + .seconds(6))?.verdict == .warning)
      #expect(state.review(newest, budget, at: now + .seconds(7)) == nil)
      #expect(state.delivered?.version.counter == first)
      // Deliveries stay suspended during a commit that is being skipped.
      state.suspend(at: start)
      #expect(state.review(newest, budget, at: now + .seconds(11))?.verdict == .restart(.pinAge))
      #expect(state.delivered == nil)
      guard case .work(var work) = state.next(newest) else {
        Issue.record("There is no work.")
        return
      }
      work.run(in: store)
      #expect(state.finish(work).map(DeliveredContent.init) == .initial(first, .pinAge))
      state.resume(from: start, skipping: nil)
      guard case .work = state.next(newest) else {
        Issue.record("There is no work.")
        return
      }
    }
  }

  @Test func lateObserverRestartsWhenPinnedBytesExceedBudget() throws {
    try withTemporaryStore { store in
      let start = try makeVersion(store)
      var state = SubscriptionState(IntervalTracker(), since: start)
      let transaction = try store.environment.beginWrite(timeout: .seconds(10))
      _ = try transaction.openTable(.blobs, create: true)
      let filler = [UInt8](repeating: 7, count: 1 << 20)
      try filler.withUnsafeBytes { bytes in
        try withUnsafeBytes(of: UInt64(1)) { key in
          try transaction.put(.blobs, key: key, bytes)
        }
      }
      let newest = try transaction.commit()
      let now = ContinuousClock.now
      _ = state.note(newest, at: now)
      let grown = Int64(newest.fileBytes) - Int64(start.fileBytes)
      #expect(grown >= 1 << 20)
      func verdict(_ byteCount: Int64) -> PinReview.Verdict? {
        state.review(newest, PinBudget(age: .seconds(10), byteCount: byteCount), at: now)?.verdict
      }
      #expect(verdict(2 * grown) == nil)
      #expect(verdict(2 * grown - 1) == .warning)
      #expect(verdict(grown) == nil)
      #expect(verdict(grown - 1) == .restart(.pinnedBytes))
    }
  }
}
