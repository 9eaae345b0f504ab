public import Dispatch
import VarveCore

extension Map {
  /// Calls a block with the initial state of the map, and then with the keys of each change.
  ///
  /// Setting a value to an equal one is not a change. When an object is deleted, its key keeps the
  /// value nil, which is reported as a modification. When the object that owns the map is
  /// deleted, the last call reports all keys as deleted. For everything else see
  /// ``RealmCollection/observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  ///
  /// - Parameters:
  ///   - keyPaths: The names of the watched properties, for a map of objects. Nil watches all
  ///     properties, up to four links away.
  ///   - queue: The queue on which the block is called. Nil means a serial queue of the store.
  ///     Calls never overlap.
  ///   - block: The block to call.
  /// - Returns: A token that you must keep. The observer ends when the token is deallocated.
  /// - Throws: `Realm.Error`: `.unmanaged`, `.frozen`, `.invalidatedObject` when the object that
  ///   owns the map was deleted, `.unknownProperty` or `.invalidInput` for a key path that the
  ///   class of the values does not have, or `.closed`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (RealmMapChange<Map>) -> Void
  ) throws -> NotificationToken {
    try observation(keyPaths).observe(at: .queue(queue), block)
  }

  /// Calls a block on an actor with the initial state of the map, and then with the keys of each
  /// change. See ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  ///
  /// - Parameters:
  ///   - keyPaths: The names of the watched properties.
  ///   - actor: The actor on which the block is called. The reference is weak.
  ///   - block: The block to call.
  /// - Returns: A token that you must keep. The observer ends when the token is deallocated.
  /// - Throws: `Realm.Error`.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _ block: @escaping @Sendable (isolated A, RealmMapChange<Map>) -> Void
  ) async throws -> NotificationToken {
    try observation(keyPaths).observe(at: .actor(actor)) { [weak actor] change in
      actor?.assumeIsolated { block($0, change) }
    }
  }

  /// The initial state of the map, followed by each change. The sequence is empty for a frozen or
  /// unmanaged map, and for a map whose owning object was deleted. See ``ChangeSequence``.
  public var changes: ChangeSequence<Change<Map, MapChanges>> {
    (try? observation(nil))?.changes ?? .empty
  }

  /// Returns the initial state of the map, followed by each change of the given properties.
  ///
  /// - Parameter keyPaths: The names of the watched properties.
  /// - Throws: `Realm.Error`; see ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  public func changes(keyPaths: [String]) throws -> ChangeSequence<Change<Map, MapChanges>> {
    try observation(keyPaths).changes
  }

  private func observation(_ keyPaths: [String]?) throws -> MapObservation<Map> {
    try Realm.Error.translating {
      try handle.mapObservation(keyPaths) { Map(handle: $0) }
    }
  }
}
