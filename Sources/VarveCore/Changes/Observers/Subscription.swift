package import VarveStorage

/// What one observer was told, and what it is to be told next.
///
/// Nothing is queued: what an observer is told is worked out when it is taken, from the version told last
/// and the newest one. However late that is, it is exact, and between the two only one version is pinned.
///
/// Thread safety: a lock guards the state. Deliveries are taken one at a time.
package final class Subscription<Tracker: ChangeTracker>: Sendable {
  private struct State {
    var tracker: Tracker
    /// The version told last; nil before the first delivery.
    var told: Snapshot?
    var restartReason: RestartReason?
    var silent: [SilentCommit] = []
    /// The version before a commit that is being made and will be left out: nothing after it is told before
    /// that commit is known.
    var barrier: Snapshot?
    /// What is known already, in order: the parts of an interval with a silent commit in it.
    var ready: [Delivery<Tracker>] = []
    var hasEnded = false

    mutating func note(_ content: Delivery<Tracker>.Content, _ snapshot: Snapshot) {
      ready.append(Delivery(content: content, tracker: tracker, snapshot: snapshot))
    }

    /// Lets go of every version.
    mutating func letGo() {
      told = nil
      silent = []
      ready = []
      barrier = nil
    }
  }

  private let store: Store
  /// Guards the state, while changes are worked out too.
  private let state: Lock<State>

  /// - Parameters:
  ///   - tracker: what is observed.
  ///   - store: the store that it belongs to.
  ///   - snapshot: the version that the observer knows already: it is told only changes after it. Nil: it is told the
  ///     state first.
  package init(_ tracker: Tracker, of store: Store, knowing snapshot: Snapshot? = nil) {
    self.store = store
    state = Lock(State(tracker: tracker, told: snapshot))
  }

  /// Whether there is nothing more to be told.
  package var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// The version told last.
  package var toldSnapshot: Snapshot? { state.withLock { $0.told } }

  /// Has the observer hear nothing more.
  package func end() {
    state.withLock { state in
      state.hasEnded = true
      state.letGo()
    }
  }

  /// Gives up the version told last: the next delivery is the whole state.
  func restart(because reason: RestartReason) {
    state.withLock { state in
      guard !state.hasEnded, state.told != nil else { return }
      state.letGo()
      state.restartReason = reason
    }
  }

  /// Whether a delivery is ready that was worked out with the one before.
  var hasReady: Bool { state.withLock { !$0.ready.isEmpty } }

  /// Whether there is a version that was not told.
  var isBehind: Bool {
    guard let newest = try? store.newestSnapshot() else { return false }
    return state.withLock { state in
      guard !state.hasEnded, state.barrier == nil else { return false }
      return state.told.map { $0.transactionID < newest.transactionID } ?? true
    }
  }

  /// Gives up the version told last when it costs more than it may.
  ///
  /// - Parameters:
  ///   - newest: the newest version.
  ///   - time: how long there has been something that was not taken.
  ///   - budget: what an observer may cost.
  func review(_ newest: Snapshot, behindFor time: Duration, _ budget: PinBudget) {
    guard let told = toldSnapshot, told.transactionID < newest.transactionID else { return }
    if time > budget.age {
      restart(because: .pinAge)
    } else if Int64(newest.fileBytes) - Int64(told.fileBytes) > budget.byteCount {
      restart(because: .pinnedBytes)
    }
  }

  /// Takes the next delivery.
  ///
  /// - Returns: nil when there is nothing to tell.
  /// - Complexity: that of the changes since the last delivery.
  package func take() -> Delivery<Tracker>? {
    state.withLock { state in
      if state.hasEnded { return nil }
      do throws(Failure) {
        return try take(&state)
      } catch {
        store.reportWhileObserving(error)
        if error.code != .closed { state.told = nil }
        return nil
      }
    }
  }

  private func take(_ state: inout State) throws(Failure) -> Delivery<Tracker>? {
    if !state.ready.isEmpty { return handOut(state.ready.removeFirst(), &state) }
    let newest = if let barrier = state.barrier { barrier } else { try store.newestSnapshot() }
    guard let told = state.told else {
      guard try state.tracker.start(at: newest) else {
        state.hasEnded = true
        return nil
      }
      state.told = newest
      defer { state.restartReason = nil }
      return Delivery(
        content: .initial(state.restartReason), tracker: state.tracker, snapshot: newest)
    }
    guard told.transactionID < newest.transactionID else { return nil }
    var last = told
    for silent in state.silent {
      // Commits of one store, in order; one before the version told last is in it already.
      guard silent.base.transactionID >= last.transactionID else { continue }
      if try advance(from: last, to: silent.base, &state, isSilent: false) { break }
      if try advance(from: silent.base, to: silent.commit, &state, isSilent: true) { break }
      last = silent.commit
    }
    state.silent = []
    if !state.hasEnded { _ = try advance(from: last, to: newest, &state, isSilent: false) }
    state.told = newest
    return state.ready.isEmpty ? nil : handOut(state.ready.removeFirst(), &state)
  }

  /// Has the tracker go on, and notes what is to be told.
  ///
  /// - Returns: whether what is observed has come to its end.
  private func advance(
    from old: Snapshot, to new: Snapshot, _ state: inout State, isSilent: Bool
  ) throws(Failure) -> Bool {
    guard old !== new else { return false }
    switch try state.tracker.advance(store.differences.difference(from: old, to: new, in: store)) {
    case .none: return false
    case .change(let change):
      if !isSilent { state.note(.change(change), new) }
      return false
    case .end(let change):
      // The end is told even if the commit is not.
      state.note(.end(change), new)
      return true
    }
  }

  private func handOut(
    _ delivery: Delivery<Tracker>, _ state: inout State
  ) -> Delivery<Tracker> {
    if case .end = delivery.content {
      state.hasEnded = true
      state.letGo()
    }
    return delivery
  }
}

/// An observer that one commit can be left out for.
package protocol SilencedObserver: Sendable {
  /// Has nothing be told that comes after a version, until the commit that follows it is known.
  ///
  /// - Precondition: the thread is in the write transaction that makes the commit.
  func holdBack(at base: Snapshot)

  /// Goes on after `holdBack(at:)`.
  ///
  /// - Parameter commit: the version that was committed, which is left out; nil after a roll-back.
  func goOn(leavingOut commit: Snapshot?)
}

extension Subscription: SilencedObserver {
  package func holdBack(at base: Snapshot) {
    state.withLock { state in
      if !state.hasEnded { state.barrier = base }
    }
  }

  package func goOn(leavingOut commit: Snapshot?) {
    state.withLock { state in
      guard let base = state.barrier else { return }
      state.barrier = nil
      // An observer that was not told anything yet is told the state with the commit in it.
      guard let commit, commit !== base, state.told != nil else { return }
      state.silent.append(SilentCommit(base: base, commit: commit))
    }
  }
}
