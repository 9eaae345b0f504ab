public import Dispatch
import VarveCore

extension List {
  /// Has a block called with the state, and then with each change; see ``Results/observe(keyPaths:on:_:)-(_,DispatchQueue?,_)``.
  ///
  /// A value that is another one at its place is a modification; an equal value is no change. An object that moved is a
  /// deletion and an insertion. When the object that owns the list is deleted, the last call has all
  /// elements deleted.
  ///
  /// - Parameters:
  ///   - keyPaths: for objects, the properties that count, by names; nil for all, up to four links away.
  ///   - queue: where the block is called; nil: a serial queue of the store. Calls come one at a time.
  ///   - block: what to call.
  /// - Returns: a token that must be kept: when it is dropped the observer ends.
  /// - Throws: `Realm.Error`: `.unmanaged` or `.frozen`, `.unknownProperty` or `.invalidInput` for a key path that the
  ///   elements' class does not have, `.closed`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (RealmCollectionChange<List>) -> Void
  ) throws -> NotificationToken {
    let observation = try observation(keyPaths)
    return try observation.observe(at: .queue(queue ?? observation.store.deliveryQueue), block)
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
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<List>) -> Void
  ) async throws -> NotificationToken {
    try observation(keyPaths).observe(at: .actor(.init(actor))) { [weak actor] change in
      actor?.assumeIsolated { block($0, change) }
    }
  }

  /// The state, and then each change; see ``ChangeSequence``. Empty for a list that is frozen or unmanaged.
  public var changes: ChangeSequence<Change<List, CollectionChanges>> {
    (try? observation(nil))?.changes ?? .empty
  }

  /// The state, and then each change of some properties.
  ///
  /// - Parameter keyPaths: the properties that count, by names.
  /// - Returns: the changes.
  /// - Throws: `Realm.Error`, as ``observe(keyPaths:on:_:)-(_,DispatchQueue?,_)``.
  public func changes(
    keyPaths: [String]
  ) throws -> ChangeSequence<Change<List, CollectionChanges>> {
    try observation(keyPaths).changes
  }

  private func observation(_ keyPaths: [String]?) throws -> CollectionObservation<List> {
    try Realm.Error.translating {
      let (context, watched) = try cell.observed(keyPaths)
      let cell = cell
      return CollectionObservation(
        store: context.store, view: context.view, className: cell.className,
        tracker: CollectionTracker(cell, watching: watched)
      ) { delivery in List(cell: cell.moved(to: context.frozen(at: delivery.snapshot))) }
    }
  }
}

extension CollectionCell {
  /// What observing a list or map needs.
  ///
  /// - Throws: `.unmanaged`, `.unknownProperty`, `.invalidInput`.
  func observed(
    _ keyPaths: [String]?
  ) throws(Failure) -> (context: ReadContext, watched: WatchedPathNames) {
    guard isTied, let context else {
      throw Failure(.unmanaged, "Unmanaged collections cannot be observed.")
    }
    let watched = WatchedPathNames(keyPaths)
    if let elementModel = CollectionIdentity(self).elementModel {
      try watched.check(on: elementModel)
    } else if keyPaths != nil {
      throw Failure(
        .invalidInput, "Key paths are for collections of objects.", className: className,
        propertyName: propertyDescription.name)
    }
    return (context, watched)
  }
}
