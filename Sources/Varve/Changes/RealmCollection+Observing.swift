public import Dispatch
import VarveCore

/// The observation of an ordered collection. It has no public members.
public struct _CollectionObservation<Collection: Sendable>: Sendable {
  let tracker: CollectionTracker
  /// The context in which the collection is read.
  let context: ReadContext
  /// The class of the object that owns the collection, for errors.
  let className: String
  /// Whether the object that owns the collection exists.
  let ownerExists: @Sendable () -> Bool
  /// Returns the collection, frozen at the version of a delivery.
  let frozen: @Sendable (CollectionTracker, ReadContext) -> Collection

  /// Returns the observation of a collection derived from this one.
  func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Collection) -> Other
  ) -> _CollectionObservation<Other> {
    _CollectionObservation<Other>(
      tracker: tracker, context: context, className: className, ownerExists: ownerExists
    ) { [frozen] in transform(frozen($0, $1)) }
  }

  /// Returns the observation of the live collection.
  ///
  /// - Throws: `.frozen`, `.invalidatedObject`.
  func live() throws -> CollectionObservation<Collection> {
    try Realm.Error.translating {
      CollectionObservation(
        view: try context.observableView(className, exists: ownerExists), tracker: tracker,
        frozen: frozen)
    }
  }
}

extension RealmCollection {
  /// Calls a block with the initial state of the collection, and then with each change.
  ///
  /// ```swift
  /// let token = try dogs.where { $0.age > 5 }.observe { change in
  ///   if case .update(let dogs, let deletions, let insertions, let modifications) = change {
  ///     print(dogs.count, deletions, insertions, modifications)
  ///   }
  /// }
  /// ```
  ///
  /// The first call delivers the state of the version that is the newest one when this method is
  /// called, which inside a write is the one before it; while ``Realm/autorefresh`` is off, that of
  /// the realm's version. Each further call follows commits of any process and delivers the
  /// difference from the previous call: a write that the thread makes next is an update. One call
  /// may cover several commits; commits that change nothing produce no call. An object counts as
  /// modified when one of its properties was set, or a property of an object up to four links away.
  ///
  /// In a list of values, replacing the value at an index is a modification; replacing it by an
  /// equal value is not a change. An object that moved is reported as a deletion and an insertion.
  /// When the object that owns the collection is deleted, the last call reports all elements as
  /// deleted.
  ///
  /// Before each call, the realm of the collection is refreshed to the reported version, so that
  /// collections and objects captured by the block agree with the indexes. They disagree only if a
  /// write or a refresh has already moved the realm to a later version. The delivered collection
  /// always agrees with the indexes. The block may write.
  ///
  /// The cost of a call is proportional to the number of changes, not of elements. The exceptions
  /// are sorted, filtered and distinct results of a collection of values, and distinct results of
  /// objects: they are evaluated again when the collection has changed.
  ///
  /// - Parameters:
  ///   - keyPaths: The names of the watched properties, for a collection of objects: `"name"`,
  ///     `"owner.name"`. Nil watches all properties, up to four links away; an empty array
  ///     watches none. Deletions and insertions are always reported.
  ///   - queue: The queue on which the block is called. Nil means a serial queue of the store.
  ///     Calls never overlap.
  ///   - block: The block to call.
  /// - Returns: A token that you must keep. The observer ends when the token is deallocated.
  /// - Throws: `Realm.Error`: `.unmanaged`, `.frozen`, `.invalidatedObject` when the object that
  ///   owns the collection was deleted, `.unknownProperty` or `.invalidInput` for a key path that
  ///   the class does not have, or `.closed`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
  ) throws -> NotificationToken {
    try _$observation(keyPaths).live().observe(at: .queue(queue), block)
  }

  /// Calls a block on an actor with the initial state of the collection, and then with each change.
  /// See ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  ///
  /// - Parameters:
  ///   - keyPaths: The names of the watched properties.
  ///   - actor: The actor on which the block is called. The reference is weak.
  ///   - block: The block to call.
  /// - Returns: A token that you must keep. The observer ends when the token is deallocated.
  /// - Throws: `Realm.Error`.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
  ) async throws -> NotificationToken {
    try _$observation(keyPaths).live().observe(at: .actor(actor)) { [weak actor] change in
      actor?.assumeIsolated { block($0, change) }
    }
  }

  /// The initial state of the collection, followed by each change. The sequence is empty for a
  /// frozen or unmanaged collection, and for a collection whose owning object was deleted. See
  /// ``ChangeSequence``.
  public var changes: ChangeSequence<Change<Self, CollectionChanges>> {
    (try? _$observation(nil).live())?.changes ?? .empty
  }

  /// Returns the initial state of the collection, followed by each change of the given properties.
  ///
  /// - Parameter keyPaths: The names of the watched properties.
  /// - Throws: `Realm.Error`; see ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  public func changes(
    keyPaths: [String]
  ) throws -> ChangeSequence<Change<Self, CollectionChanges>> {
    try _$observation(keyPaths).live().changes
  }
}
