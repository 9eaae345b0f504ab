import Synchronization

/// The outcome of the write transaction in which a handle was made.
///
/// A handle to an object that a transaction created retains the transaction's outcome. When the
/// transaction is rolled back the handle is permanently invalidated, even if a later write stores
/// another object under the same key.
///
/// Thread safety: any thread may read the state; only the thread of the transaction resolves it,
/// once.
package final class TransactionOutcome: Sendable {
  package enum State: Int, Sendable { case open, committed, rolledBack }

  private let raw = Atomic<Int>(State.open.rawValue)
  /// The outcome of the transaction around a nested one. When it is rolled back, so is the nested
  /// one.
  private let outer: TransactionOutcome?

  package init(outer: TransactionOutcome? = nil) { self.outer = outer }

  package var state: State {
    let own = State(rawValue: raw.load(ordering: .acquiring)) ?? .rolledBack
    guard own == .committed, let outer else { return own }
    return outer.state
  }

  package var isRolledBack: Bool { state == .rolledBack }

  func resolve(_ state: State) { raw.store(state.rawValue, ordering: .releasing) }
}
