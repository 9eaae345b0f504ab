public import Dispatch
import VarveCore

extension Results {
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
  /// Before each call the realm of the results is moved to the version that the call tells of, so results and
  /// objects that the block has captured agree with the indexes: unless the realm has gone further meanwhile, by a
  /// write or a refresh. What is handed over agrees always. The block may write.
  ///
  /// The cost of a call follows the number of changes, not that of the objects.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties that count, by names: `"name"`, `"owner.name"`; nil for all, up to four links away;
  ///     an empty array for none. Deletions and insertions always count.
  ///   - queue: where the block is called; nil: a serial queue of the store. Calls come one at a time.
  ///   - block: what to call.
  /// - Returns: a token that must be kept: when it is dropped the observer ends.
  /// - Throws: `Realm.Error`: `.frozen` for frozen results, `.invalidatedObject` for those of a deleted object,
  ///   `.unknownProperty` or `.invalidInput` for a key path that the class does not have, `.closed`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (RealmCollectionChange<Results>) -> Void
  ) throws -> NotificationToken {
    try observation(keyPaths).observe(at: .queue(queue), block)
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
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Results>) -> Void
  ) async throws -> NotificationToken {
    try observation(keyPaths).observe(at: .actor(actor)) { [weak actor] change in
      actor?.assumeIsolated { block($0, change) }
    }
  }

  /// The state, and then each change; see ``ChangeSequence``. Empty for frozen results.
  public var changes: ChangeSequence<Change<Results, CollectionChanges>> {
    (try? observation(nil))?.changes ?? .empty
  }

  /// The state, and then each change of some properties.
  ///
  /// - Parameter keyPaths: the properties that count, by names.
  /// - Returns: the changes.
  /// - Throws: `Realm.Error`: `.unknownProperty` or `.invalidInput` for a key path that the class does not have.
  public func changes(
    keyPaths: [String]
  ) throws -> ChangeSequence<Change<Results, CollectionChanges>> {
    try observation(keyPaths).changes
  }

  private func observation(_ keyPaths: [String]?) throws -> CollectionObservation<Results> {
    try Realm.Error.translating { try cell.observation(Element.self, keyPaths) }
  }
}
