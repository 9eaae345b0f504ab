public import Dispatch
import VarveCore

extension Map {
  /// Has a block called with the state, and then with the keys of each change; see
  /// ``RealmCollection/observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  ///
  /// A value that is set to an equal one is no change. An object that is deleted leaves nil under its key, which
  /// is a modification. When the object that owns the map is deleted, the last call has all keys deleted.
  ///
  /// - Parameters:
  ///   - keyPaths: for objects, the properties that count, by names; nil for all, up to four links away.
  ///   - queue: where the block is called; nil: a serial queue of the store. Calls come one at a time.
  ///   - block: what to call.
  /// - Returns: a token that must be kept: when it is dropped the observer ends.
  /// - Throws: `Realm.Error`: `.unmanaged`, `.frozen`, `.invalidatedObject` when its object is deleted,
  ///   `.unknownProperty` or `.invalidInput` for a key path that the values' class does not have, `.closed`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (RealmMapChange<Map>) -> Void
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
    _ block: @escaping @Sendable (isolated A, RealmMapChange<Map>) -> Void
  ) async throws -> NotificationToken {
    try observation(keyPaths).observe(at: .actor(actor)) { [weak actor] change in
      actor?.assumeIsolated { block($0, change) }
    }
  }

  /// The state, and then each change; see ``ChangeSequence``. Empty for a map that is frozen or unmanaged, or
  /// whose object is deleted.
  public var changes: ChangeSequence<Change<Map, MapChanges>> {
    (try? observation(nil))?.changes ?? .empty
  }

  /// The state, and then each change of some properties.
  ///
  /// - Parameter keyPaths: the properties that count, by names.
  /// - Returns: the changes.
  /// - Throws: `Realm.Error`, as ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  public func changes(keyPaths: [String]) throws -> ChangeSequence<Change<Map, MapChanges>> {
    try observation(keyPaths).changes
  }

  private func observation(_ keyPaths: [String]?) throws -> MapObservation<Map> {
    try Realm.Error.translating {
      try handle.mapObservation(keyPaths) { Map(handle: $0) }
    }
  }
}
