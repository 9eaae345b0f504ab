public import Dispatch
import VarveCore

extension Realm {
  /// What the observer of a realm is told.
  public enum Notification: Sendable {
    /// Something was committed, and the realm was moved to the new version.
    case didChange
    /// Something was committed, and the realm was not moved, because ``Realm/autorefresh`` is off.
    case refreshRequired
  }

  /// Has a block called after commits, of any process.
  ///
  /// Before each call the realm is moved to the version that is told of, unless it reads a later one. Several commits
  /// may share a call. While ``autorefresh`` is off, the block is told ``Notification/refreshRequired`` instead, and
  /// ``Notification/didChange`` when the realm has been refreshed. It is not called in a read-only store.
  ///
  /// - Parameters:
  ///   - queue: where the block is called; nil: a serial queue of the store. Calls come one at a time.
  ///   - block: what to call; it gets the realm.
  /// - Returns: a token that must be kept: when it is dropped the observer ends.
  /// - Throws: `Realm.Error`: `.frozen` or `.closed`.
  public func observe(
    on queue: DispatchQueue? = nil, _ block: @escaping @Sendable (Notification, Realm) -> Void
  ) throws -> NotificationToken {
    try observe(at: .queue(queue), block)
  }

  /// Has a block called on an actor; see ``observe(on:_:)-(DispatchQueue?,_)``.
  ///
  /// - Parameters:
  ///   - actor: where the block is called. It is held weakly.
  ///   - block: what to call.
  /// - Returns: a token that must be kept.
  /// - Throws: `Realm.Error`: `.frozen` or `.closed`.
  public func observe<A: Actor>(
    on actor: A, _ block: @escaping @Sendable (isolated A, Notification, Realm) -> Void
  ) async throws -> NotificationToken {
    try observe(at: .actor(actor)) { [weak actor] notification, realm in
      actor?.assumeIsolated { block($0, notification, realm) }
    }
  }

  /// The versions that come after the one that the realm reads now, each frozen; see ``ChangeSequence``.
  ///
  /// ```swift
  /// var before = realm.freeze()
  /// for await now in realm.changes {
  ///   let people = try now.changes(since: before).objects(Person.self)
  ///   heard(people.insertions.map(\.name))
  ///   before = now
  ///   if people.isEmpty { break }
  /// }
  /// ```
  ///
  /// Several commits may share an element. Empty for a frozen realm.
  public var changes: ChangeSequence<Realm> {
    guard let view = context.view else { return .empty }
    return ChangeSequence(RealmTracker(), of: view, knowsState: true) { delivery in
      Realm(context: ReadContext(view: view).frozen(at: delivery.snapshot))
    }
  }

  private func observe(
    at place: ObserverExecutor, _ block: @escaping @Sendable (Notification, Realm) -> Void
  ) throws -> NotificationToken {
    try Error.translating {
      guard let view = context.view else {
        throw Failure(.frozen, "A frozen realm does not change: it cannot be observed.")
      }
      return NotificationToken(
        try CallbackObserver(
          RealmTracker(), through: view, knowing: view.snapshot, at: place.resolved(in: view.store),
          whenHeld: { block(.refreshRequired, Realm(context: ReadContext(view: view))) }
        ) { _ in block(.didChange, Realm(context: ReadContext(view: view))) })
    }
  }
}
