public import Dispatch
import VarveCore

extension RealmCollectionValue where Self: ObjectBase {
  /// Calls a block with each change of the object.
  ///
  /// ```swift
  /// let token = try dog.observe { change in
  ///   if case .change(let dog, let properties) = change { print(dog.name, properties) }
  /// }
  /// ```
  ///
  /// Object observers receive no initial notification: the first change is relative to the version
  /// that the object is read in now. Setting a property to its current value counts as a change. An
  /// observer that falls behind by more than the configuration's ``Realm/Configuration/pinBudget``
  /// receives every property, without old values. When the object is deleted, the block is called a
  /// last time, with ``ObjectChange/deleted``.
  ///
  /// - Parameters:
  ///   - keyPaths: The names of the watched properties: `"name"`, `"owner.name"`. For a path, the
  ///     first property of the path is reported. Nil watches every property of the object itself;
  ///     an empty array watches only the deletion.
  ///   - queue: The queue on which the block is called. Nil means a serial queue of the store.
  ///     Calls never overlap.
  ///   - block: The block to call.
  /// - Returns: A token that you must keep. The observer ends when the token is deallocated.
  /// - Throws: `Realm.Error`: `.unmanaged`, `.frozen`, `.invalidatedObject`, `.unknownProperty` or
  ///   `.invalidInput` for a key path that the class does not have, or `.closed`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) throws -> NotificationToken {
    try observation(keyPaths).observe(at: .queue(queue)) { block($0.change) }
  }

  /// Calls a block on an actor with each change of the object. See `observe(keyPaths:on:_:)`.
  ///
  /// - Parameters:
  ///   - keyPaths: The names of the watched properties.
  ///   - actor: The actor on which the block is called. The reference is weak.
  ///   - block: The block to call.
  /// - Returns: A token that you must keep. The observer ends when the token is deallocated.
  /// - Throws: `Realm.Error`.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async throws -> NotificationToken {
    try observation(keyPaths).observe(at: .actor(actor)) { [weak actor] update in
      actor?.assumeIsolated { block($0, update.change) }
    }
  }

  /// The changes of the object, as reported by `observe(keyPaths:on:_:)`. The sequence ends with
  /// the deletion. It is empty for a frozen, unmanaged or deleted object. See ``ChangeSequence``.
  public var changes: ChangeSequence<ObjectChange<Self>> {
    (try? observation(nil))?.sequence { $0.change } ?? .empty
  }

  /// Returns each change of the given properties.
  ///
  /// - Parameter keyPaths: The names of the watched properties.
  /// - Throws: `Realm.Error`; see `observe(keyPaths:on:_:)`.
  public func changes(keyPaths: [String]) throws -> ChangeSequence<ObjectChange<Self>> {
    try observation(keyPaths).sequence { $0.change }
  }

  /// Calls a block with each change of the object, which is passed as an instance of a superclass.
  /// See `observe(keyPaths:on:_:)`.
  ///
  /// - Throws: `Realm.Error`: also `.invalidInput` when `T` is not a superclass of the object's
  ///   class.
  @_disfavoredOverload
  public func observe<T: ObjectBase>(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (ObjectChange<T>) -> Void
  ) throws -> NotificationToken {
    try observation(keyPaths, as: T.self).observe(at: .queue(queue)) { block($0.change.upcast()) }
  }

  /// Calls a block on an actor with each change of the object, which is passed as an instance of a
  /// superclass. See `observe(keyPaths:on:_:)`.
  ///
  /// - Throws: `Realm.Error`: also `.invalidInput` when `T` is not a superclass of the object's
  ///   class.
  @_disfavoredOverload
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [String]? = nil, on actor: A,
    _ block: @escaping @Sendable (isolated A, ObjectChange<T>) -> Void
  ) async throws -> NotificationToken {
    try observation(keyPaths, as: T.self).observe(at: .actor(actor)) { [weak actor] update in
      actor?.assumeIsolated { block($0, update.change.upcast()) }
    }
  }

  private func observation<T: ObjectBase>(
    _ keyPaths: [String]?, as superclass: T.Type
  ) throws -> ObjectObservation<Self> {
    guard self is T else {
      throw Realm.Error(
        .invalidInput,
        "A block for changes of '\(T.self)' cannot observe an object of '\(info.name)'.")
    }
    return try observation(keyPaths)
  }

  /// Returns the observation of the object.
  ///
  /// - Throws: `Realm.Error`; see `observe(keyPaths:on:_:)`.
  func observation(_ keyPaths: [String]?) throws -> ObjectObservation<Self> {
    try Realm.Error.translating {
      let view = try observableView()
      let watched = WatchedPathNames(keyPaths)
      try watched.check(on: info.description)
      return ObjectObservation(
        view: view,
        tracker: ObjectTracker(
          info.description, id: handle.id, paths: watched.names, of: view.store,
          outcome: handle.context?.outcome),
        type: Swift.type(of: self), id: handle.id, binding: handle.binding)
    }
  }

  private func observableView() throws(Failure) -> View {
    guard let context = handle.context, handle.isManaged else {
      throw Failure(.unmanaged, "Unmanaged objects cannot be observed.", className: info.name)
    }
    guard let view = context.view else {
      throw Failure(
        .frozen, "Frozen objects do not change: they cannot be observed.", className: info.name)
    }
    guard !isInvalidated else {
      throw Failure(
        .invalidatedObject, "The object is deleted: it cannot be observed.", className: info.name)
    }
    return view
  }
}
