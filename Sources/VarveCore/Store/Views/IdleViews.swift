import Glibc
import Synchronization
import VarveLocks
import VarveStorage

/// The live views of a store that nobody reads: they move with the commits, and so pin no old
/// version.
///
/// A view that has not been read for the idle limit is *idle*; for a tenth of it when the file has
/// grown by a mebibyte since the version of the view. Idle views are moved together, in a
/// *round*: after some commits or milliseconds, by the thread that has committed; after commits of
/// other processes by the notifier, whose listener this object is while views are idle. The next
/// read of an idle view moves it first (``View/noteUse()``), so it does not read a version that is
/// late by a round. A second thread that reads the view at that moment may still read it.
///
/// Thread safety: any thread may use it. One thread at a time runs a round.
final class IdleViews: CommitListener {
  /// Milliseconds of a monotonic clock.
  typealias Time = Int

  /// The time between two rounds while commits follow each other.
  static let interval = Duration.milliseconds(5)
  /// The least number of commits after which a round is due earlier, and the number of idle views
  /// for each of these commits: a commit pays for as many.
  private static let fewestCommits = 4
  private static let viewsOfCommit = 4
  /// The growth of the file since the version of a view from which on a tenth of the limit counts.
  private static let costlyGrowth: Int64 = 1 << 20
  /// The limit from which on the housekeeper needs no additional rounds.
  private static let longLimit: Time = 1000

  private struct State {
    /// Whether the notifier notifies this object.
    var isListening = false
  }
  /// Guards the state; held during a round, in which no code of the program is called.
  private let state = Lock(State())
  private let lastRound = Atomic<Time>(0)
  /// The number of commits since the last round.
  private let commits = Atomic<Int>(0)
  private let rounds = Atomic<Int>(0)
  /// The number of rounds since the store was opened. For tests.
  var roundCount: Int { rounds.load(ordering: .relaxed) }
  /// The number of idle views in the last round.
  private let idleCount = Atomic<Int>(0)
  /// Whether the housekeeper runs rounds several times a second, for views that are not idle yet.
  private let isHurried = Atomic<Bool>(false)
  /// The time by which tests have advanced the clock.
  private let advance = Atomic<Time>(0)
  private let limit: Time
  private let reference: OpenStore

  init(limit: Duration, of reference: OpenStore) {
    self.limit = max(1, Self.time(limit))
    self.reference = reference
  }

  private static func time(_ duration: Duration) -> Time {
    Time(max(0, min(duration / .milliseconds(1), 1e15)))
  }

  // MARK: Occasions of rounds

  /// Notes that the calling thread has committed a version.
  ///
  /// - Complexity: O(1), and once per round O(views).
  func noteOwnCommit(_ newest: Snapshot, of store: Store) {
    let count = commits.wrappingAdd(1, ordering: .relaxed).newValue
    if isRoundDue(afterCommits: count) { runRound(store)?.move(to: newest) }
  }

  private func isRoundDue(afterCommits count: Int) -> Bool {
    let idle = idleCount.load(ordering: .relaxed)
    if idle > 0, count >= max(Self.fewestCommits, idle / Self.viewsOfCommit) { return true }
    return now - lastRound.load(ordering: .relaxed) >= Self.time(Self.interval)
  }

  func noteCommit(_ newest: Snapshot) {
    if let store = reference.store { runRound(store)?.move(to: newest) }
  }

  /// The notifier makes a pause after it has notified only this object.
  var isPatient: Bool { true }

  /// Notes that there is a view that is not idle yet, or not any more.
  @inline(__always)
  func noteYoungView() {
    if _slowPath(!isHurried.load(ordering: .relaxed)) { hurry() }
  }

  private func hurry() {
    guard !isHurried.exchange(true, ordering: .relaxed), limit < Self.longLimit else { return }
    Housekeeper.shared.hurry()
  }

  /// Runs the rounds of the housekeeper between two ticks, until all views are idle.
  func runHurriedRound(_ store: Store) {
    guard isHurried.load(ordering: .relaxed), limit < Self.longLimit else { return }
    if keep(store) { listen(store) }
  }

  /// Runs a round of the housekeeper, once a second.
  func tick(_ store: Store) {
    if keep(store) { listen(store) } else { state.withLock { $0.isListening = false } }
  }

  /// Moves the idle views.
  ///
  /// - Returns: Whether there are views that move when they are idle.
  private func keep(_ store: Store) -> Bool {
    isHurried.store(false, ordering: .relaxed)
    guard let round = runRound(store) else {
      hurry()
      return true
    }
    if round.youngCount > 0 { hurry() }
    if !round.idle.isEmpty, let newest = try? store.newestSnapshotWhileClosed() {
      round.move(to: newest)
    }
    return round.viewCount > 0
  }

  /// Causes the notifier to run a round after commits, of other processes in particular.
  private func listen(_ store: Store) {
    let mustBegin = state.withLock { state in
      defer { state.isListening = true }
      return !state.isListening
    }
    // A closed store is not notified.
    if mustBegin { try? store.notifier.add(self, of: store) }
  }

  /// Whether there are no views to move.
  var hasEnded: Bool { state.withLock { !$0.isListening } }

  // MARK: Rounds

  /// The views of a store in a round.
  private struct Round {
    var idle: [ViewPin] = []
    /// The number of views that are not idle.
    var youngCount = 0
    var viewCount: Int { idle.count + youngCount }

    /// Moves the views that are still idle, and that nothing else moves since the round.
    ///
    /// A reader that takes a view after the check moves it to a version that is not older.
    func move(to newest: Snapshot) {
      // Retired together: each retirement interrupts every running thread.
      var replaced = RetiredReferences()
      for pin in idle where pin.isIdle && pin.movesWhenIdle {
        replaced.add(pin.moving.advanced(to: newest))
      }
      replaced.retire()
    }
  }

  /// Finds the idle views.
  ///
  /// - Returns: Nil while another thread runs a round.
  private func runRound(_ store: Store) -> Round? {
    let pins = store.views.all
    return state.withLockIfAvailable { _ in
      commits.store(0, ordering: .relaxed)
      rounds.add(1, ordering: .relaxed)
      let now = now
      lastRound.store(now, ordering: .relaxed)
      var round = Round()
      var growth = VersionGrowth(store)
      for pin in pins where pin.movesWhenIdle {
        let unread = pin.noteRound(at: now)
        let isIdle =
          unread >= limit
          || unread > 0 && 10 * unread >= limit && growth.of(pin) >= Self.costlyGrowth
        if pin.setIdle(isIdle) { round.idle.append(pin) } else { round.youngCount += 1 }
      }
      idleCount.store(round.idle.count, ordering: .relaxed)
      return round
    }
  }

  /// The growth of the file since the versions of views, most of which are the same.
  private struct VersionGrowth {
    private let store: Store
    private var last: (transaction: UInt64, growth: Int64)?

    init(_ store: Store) { self.store = store }

    mutating func of(_ pin: ViewPin) -> Int64 {
      let transaction = pin.moving.retained().transactionID
      if let last, last.transaction == transaction { return last.growth }
      // A store that was closed is not written to.
      guard let newest = try? store.environment.newestCommit() else { return 0 }
      let growth = store.environment.succession(of: transaction, newest: newest)?.growth ?? 0
      last = (transaction, growth)
      return growth
    }
  }

  private var now: Time {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return 1000 * time.tv_sec + time.tv_nsec / 1_000_000 + advance.load(ordering: .relaxed)
  }

  /// Advances the clock, for tests.
  func advanceClock(by time: Duration) {
    advance.wrappingAdd(Self.time(time), ordering: .relaxed)
  }
}
