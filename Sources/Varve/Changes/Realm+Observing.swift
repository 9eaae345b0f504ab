public import Dispatch
import VarveCore

extension Realm {
  /// The notification that the observer of a realm receives.
  public enum Notification: Sendable {
    /// A transaction was committed, and the realm was refreshed to the new version.
    case didChange
    /// A transaction was committed, and the realm was not refreshed because ``Realm/autorefresh``
    /// is off.
    case refreshRequired
  }

  /// Calls a block after commits of any process.
  ///
  /// Before each call the realm is refreshed to the reported version, unless it already reads a
  /// later one. One call may report several commits. While ``autorefresh`` is off, the block
  /// receives ``Notification/refreshRequired`` instead, and ``Notification/didChange`` after the
  /// realm was refreshed. The block is never called for a read-only store.
  ///
  /// - Parameters:
  ///   - queue: The queue on which the block is called. Nil means a serial queue of the store.
  ///     Calls never overlap.
  ///   - block: The block to call with the notification and the realm.
  /// - Returns: A token that you must keep. The observer ends when the token is deallocated.
  /// - Throws: `Realm.Error`: `.frozen` or `.closed`.
  public func observe(
    on queue: DispatchQueue? = nil, _ block: @escaping @Sendable (Notification, Realm) -> Void
  ) throws -> NotificationToken {
    try observe(at: .queue(queue), block)
  }

  /// Calls a block on an actor after commits of any process. See
  /// ``observe(on:_:)-(DispatchQueue?,_)``.
  ///
  /// - Parameters:
  ///   - actor: The actor on which the block is called. The reference is weak.
  ///   - block: The block to call with the notification and the realm.
  /// - Returns: A token that you must keep. The observer ends when the token is deallocated.
  /// - Throws: `Realm.Error`: `.frozen` or `.closed`.
  public func observe<A: Actor>(
    on actor: A, _ block: @escaping @Sendable (isolated A, Notification, Realm) -> Void
  ) async throws -> NotificationToken {
    try observe(at: .actor(actor)) { [weak actor] notification, realm in
      actor?.assumeIsolated { block($0, notification, realm) }
    }
  }

  /// The versions after the one that the realm reads now, each as a frozen realm. See
  /// ``ChangeSequence``.
  ///
  /// ```swift
  /// var before = realm.freeze()
  /// for await now in realm.changes {
  ///   let people = try now.changes(since: before).objects(Person.self)
  ///   print(people.insertions.map(\.name))
  ///   before = now
  ///   if people.isEmpty { break }
  /// }
  /// ```
  ///
  /// One element may cover several commits. The sequence is empty for a frozen realm.
  ///
  /// Unstable: a minor release before 1.0 may change the type of the elements.
  public var changes: ChangeSequence<Realm> {
    guard let view = context.view else { return .empty }
    return ChangeSequence(RealmTracker(), of: view, skipsInitialState: true) { delivery in
      Realm(context: ReadContext(view: view).frozen(at: delivery.snapshot))
    }
  }

  private func observe(
    at executor: ObserverExecutor, _ block: @escaping @Sendable (Notification, Realm) -> Void
  ) throws -> NotificationToken {
    try Error.translating {
      guard let view = context.view else {
        throw Failure(.frozen, "A frozen realm does not change: it cannot be observed.")
      }
      return NotificationToken(
        try CallbackObserver(
          RealmTracker(), through: view, since: view.snapshot,
          at: executor.resolved(in: view.store),
          onRefreshRequired: { block(.refreshRequired, Realm(context: ReadContext(view: view))) }
        ) { _ in block(.didChange, Realm(context: ReadContext(view: view))) })
    }
  }
}
