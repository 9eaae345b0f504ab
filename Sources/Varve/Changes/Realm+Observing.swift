public import Dispatch
import VarveCore

extension Realm {
  /// What the observer of a realm is told.
  public enum Notification: Sendable {
    /// Something was committed, and the realm was moved to the new version.
    case didChange
  }

  /// Has a block called after commits, of any process.
  ///
  /// Before each call the realm is moved to the version that is told of. Several commits may share a call.
  ///
  /// - Parameters:
  ///   - queue: where the block is called; nil: a serial queue of the store. Calls come one at a time.
  ///   - block: what to call; it gets the realm.
  /// - Returns: a token that must be kept: when it is dropped the observer ends.
  /// - Throws: `Realm.Error`: `.frozen` or `.closed`.
  public func observe(
    on queue: DispatchQueue? = nil, _ block: @escaping @Sendable (Notification, Realm) -> Void
  ) throws -> NotificationToken {
    try Error.translating {
      guard let view = context.view else {
        throw Failure(.frozen, "A frozen realm does not change: it cannot be observed.")
      }
      return NotificationToken(
        try CallbackObserver(
          RealmTracker(), through: view, knowing: view.snapshot,
          at: ObserverPlace.queue(queue).resolved(in: store)
        ) { _ in block(.didChange, Realm(context: ReadContext(view: view))) })
    }
  }
}
