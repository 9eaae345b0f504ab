public import Dispatch
import VarveCore

extension LinkingObjects {
  /// Has a block called with the state, and then with each change; see
  /// ``Results/observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties that count, by names; nil for all, up to four links away.
  ///   - queue: where the block is called; nil: a serial queue of the store.
  ///   - block: what to call.
  /// - Returns: a token that must be kept: when it is dropped the observer ends.
  /// - Throws: `Realm.Error`: `.unmanaged`, `.frozen`, `.invalidatedObject` when its object is deleted,
  ///   `.unknownProperty` or `.invalidInput` for a key path that the class does not have, `.closed`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (RealmCollectionChange<LinkingObjects>) -> Void
  ) throws -> NotificationToken {
    try managed().observe(keyPaths: keyPaths, on: queue) { block($0.linkingObjects()) }
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
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<LinkingObjects>) -> Void
  ) async throws -> NotificationToken {
    try await managed().observe(keyPaths: keyPaths, on: actor) { block($0, $1.linkingObjects()) }
  }

  /// The state, and then each change; see ``ChangeSequence``. Empty for what is frozen or unmanaged.
  public var changes: ChangeSequence<Change<Results<Element>, CollectionChanges>> {
    results?.changes ?? .empty
  }

  /// The state, and then each change of some properties.
  ///
  /// - Parameter keyPaths: the properties that count, by names.
  /// - Returns: the changes.
  /// - Throws: `Realm.Error`, as ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  public func changes(
    keyPaths: [String]
  ) throws -> ChangeSequence<Change<Results<Element>, CollectionChanges>> {
    try managed().changes(keyPaths: keyPaths)
  }

  private func managed() throws -> Results<Element> {
    guard let results else {
      throw Realm.Error(.unmanaged, "Linking objects of an unmanaged object cannot be observed.")
    }
    return results
  }
}

extension RealmCollectionChange {
  fileprivate func linkingObjects<Element: Object>() -> RealmCollectionChange<
    LinkingObjects<Element>
  >
  where Collection == Results<Element> {
    switch self {
    case .initial(let results): .initial(LinkingObjects(results))
    case .update(let results, let deletions, let insertions, let modifications):
      .update(
        LinkingObjects(results), deletions: deletions, insertions: insertions,
        modifications: modifications)
    case .error(let error): .error(error)
    }
  }
}
