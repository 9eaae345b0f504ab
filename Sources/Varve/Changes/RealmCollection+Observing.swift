public import Dispatch
import VarveCore

/// How an ordered collection is followed from version to version; it has no members for users.
public struct _CollectionObservation<Collection: Sendable>: Sendable {
  let tracker: CollectionTracker
  /// What the collection is read in.
  let context: ReadContext
  /// The class that the collection belongs to, for errors.
  let className: String
  /// Whether the object exists that the collection belongs to.
  let ownerExists: @Sendable () -> Bool
  /// The collection as a delivery finds it.
  let frozen: @Sendable (CollectionTracker, ReadContext) -> Collection

  /// The same, of what is made of the collection.
  func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Collection) -> Other
  ) -> _CollectionObservation<Other> {
    _CollectionObservation<Other>(
      tracker: tracker, context: context, className: className, ownerExists: ownerExists
    ) { [frozen] in transform(frozen($0, $1)) }
  }

  /// What observers are made of.
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
  /// Has a block called with the state, and then with each change.
  ///
  /// ```swift
  /// let token = try dogs.where { $0.age > 5 }.observe { change in
  ///   if case .update(let dogs, let deletions, let insertions, let modifications) = change {
  ///     print(dogs.count, deletions, insertions, modifications)
  ///   }
  /// }
  /// ```
  ///
  /// The first call has the state at the newest version. Each further one follows commits of any process, and has what
  /// is different from the call before; commits may share one call, and those that change nothing have none. An object
  /// counts as modified when one of its properties was set, or one of an object up to four links away.
  ///
  /// In a list a value that is another one at its place is a modification; an equal value is no change. An object that
  /// moved is a deletion and an insertion. When the object that the collection belongs to is deleted, the last call has
  /// all elements deleted.
  ///
  /// Before each call the realm of the collection is moved to the version that the call tells of, so collections and
  /// objects that the block has captured agree with the indexes: unless the realm has gone further meanwhile, by a
  /// write or a refresh. What is handed over agrees always. The block may write.
  ///
  /// The cost of a call follows the number of changes, not that of the elements; but sorted, filtered and distinct
  /// results of a collection of values, and distinct results of objects, are evaluated again when it has changed.
  ///
  /// - Parameters:
  ///   - keyPaths: for objects, the properties that count, by names: `"name"`, `"owner.name"`; nil for all, up to four
  ///     links away; an empty array for none. Deletions and insertions always count.
  ///   - queue: where the block is called; nil: a serial queue of the store. Calls come one at a time.
  ///   - block: what to call.
  /// - Returns: a token that must be kept: when it is dropped the observer ends.
  /// - Throws: `Realm.Error`: `.unmanaged`, `.frozen`, `.invalidatedObject` when the object that the collection belongs
  ///   to is deleted, `.unknownProperty` or `.invalidInput` for a key path that the class does not have, `.closed`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
  ) throws -> NotificationToken {
    try _$observation(keyPaths).live().observe(at: .queue(queue), block)
  }

  /// Has a block called on an actor; see ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties that count.
  ///   - actor: where the block is called. It is held weakly.
  ///   - block: what to call.
  /// - Returns: a token that must be kept.
  /// - Throws: `Realm.Error`.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
  ) async throws -> NotificationToken {
    try _$observation(keyPaths).live().observe(at: .actor(actor)) { [weak actor] change in
      actor?.assumeIsolated { block($0, change) }
    }
  }

  /// The state, and then each change; see ``ChangeSequence``. Empty for a collection that is frozen or unmanaged, or
  /// whose object is deleted.
  public var changes: ChangeSequence<Change<Self, CollectionChanges>> {
    (try? _$observation(nil).live())?.changes ?? .empty
  }

  /// The state, and then each change of some properties.
  ///
  /// - Parameter keyPaths: the properties that count, by names.
  /// - Returns: the changes.
  /// - Throws: `Realm.Error`, as ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  public func changes(
    keyPaths: [String]
  ) throws -> ChangeSequence<Change<Self, CollectionChanges>> {
    try _$observation(keyPaths).live().changes
  }
}
