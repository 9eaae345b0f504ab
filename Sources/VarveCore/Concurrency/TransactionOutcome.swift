import Synchronization

/// How the write transaction ended in which a handle was made.
///
/// A handle to an object that a transaction created holds the transaction's token: when the
/// transaction is rolled back the handle is invalid for ever, even if a later write stores another
/// object under the same key.
///
/// Thread safety: any thread may ask; only the thread of the transaction settles it, once.
package final class TransactionOutcome: Sendable {
  package enum State: Int, Sendable { case open, committed, rolledBack }

  private let raw = Atomic<Int>(State.open.rawValue)
  /// The token of the transaction around a nested one: its fate is the nested one's too.
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
