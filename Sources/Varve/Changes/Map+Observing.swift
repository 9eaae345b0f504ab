public import Dispatch
import VarveCore

extension Map {
  /// Has a block called with the state, and then with the keys of each change; see
  /// ``Results/observe(keyPaths:on:_:)-(_,DispatchQueue?,_)``.
  ///
  /// A value that is set to an equal one is no change. An object that is deleted leaves nil under its key, which
  /// is a modification. When the object that owns the map is deleted, the last call has all keys deleted.
  ///
  /// - Parameters:
  ///   - keyPaths: for objects, the properties that count, by names; nil for all, up to four links away.
  ///   - queue: where the block is called; nil: a serial queue of the store. Calls come one at a time.
  ///   - block: what to call.
  /// - Returns: a token that must be kept: when it is dropped the observer ends.
  /// - Throws: `Realm.Error`: `.unmanaged` or `.frozen`, `.unknownProperty` or `.invalidInput` for a key path that the
  ///   values' class does not have, `.closed`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (RealmMapChange<Map>) -> Void
  ) throws -> NotificationToken {
    try observe(keyPaths, at: { .queue(queue ?? $0.deliveryQueue) }, block)
  }

  /// Has a block called on an actor; see ``observe(keyPaths:on:_:)-(_,DispatchQueue?,_)``.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties that count.
  ///   - actor: where the block is called. It is held weakly.
  ///   - block: what to call.
  /// - Returns: a token that must be kept.
  /// - Throws: `Realm.Error`.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _ block: @escaping @Sendable (isolated A, RealmMapChange<Map>) -> Void
  ) async throws -> NotificationToken {
    try observe(keyPaths, at: { _ in .actor(.init(actor)) }) { [weak actor] change in
      actor?.assumeIsolated { block($0, change) }
    }
  }

  /// The state, and then each change; see ``ChangeSequence``. Empty for a map that is frozen or unmanaged.
  public var changes: ChangeSequence<Change<Map, MapChanges>> {
    (try? changes(watching: nil)) ?? .empty
  }

  /// The state, and then each change of some properties.
  ///
  /// - Parameter keyPaths: the properties that count, by names.
  /// - Returns: the changes.
  /// - Throws: `Realm.Error`, as ``observe(keyPaths:on:_:)-(_,DispatchQueue?,_)``.
  public func changes(keyPaths: [String]) throws -> ChangeSequence<Change<Map, MapChanges>> {
    try changes(watching: keyPaths)
  }

  private func observe(
    _ keyPaths: [String]?, at place: (Store) -> DeliveryPlace,
    _ block: @escaping @Sendable (RealmMapChange<Map>) -> Void
  ) throws -> NotificationToken {
    try Realm.Error.translating {
      let (context, watched) = try cell.observed(keyPaths)
      guard let view = context.view else {
        throw Failure(
          .frozen, "Frozen collections do not change: they cannot be observed.",
          className: cell.className, propertyName: cell.propertyDescription.name)
      }
      let cell = cell
      let tracker = MapTracker(CollectionIdentity(cell), watching: watched)
      return NotificationToken(
        try CallbackObserver(tracker, through: view, at: place(context.store)) { delivery in
          let map = Map(cell: cell.moved(to: context.frozen(at: delivery.snapshot)))
          switch delivery.content {
          case .initial: block(.initial(map))
          case .change(let change), .end(let change):
            block(
              .update(
                map, deletions: change.deletions, insertions: change.insertions,
                modifications: change.modifications))
          }
        })
    }
  }

  private func changes(
    watching keyPaths: [String]?
  ) throws -> ChangeSequence<Change<Map, MapChanges>> {
    try Realm.Error.translating {
      let (context, watched) = try cell.observed(keyPaths)
      guard !context.isFrozen else { return .empty }
      let cell = cell
      let tracker = MapTracker(CollectionIdentity(cell), watching: watched)
      return ChangeSequence({ (tracker, context.store) }) { delivery in
        let map = Map(cell: cell.moved(to: context.frozen(at: delivery.snapshot)))
        return switch delivery.content {
        case .initial(let reason): .initial(map, reason: reason.map(RestartReason.init))
        case .change(let change), .end(let change): .update(map, MapChanges(change))
        }
      }
    }
  }
}
