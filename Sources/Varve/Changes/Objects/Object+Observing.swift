public import Dispatch
import VarveCore

extension RealmCollectionValue where Self: ObjectBase {
  /// Has a block called with each change of the object.
  ///
  /// ```swift
  /// let token = try dog.observe { change in
  ///   if case .change(let dog, let properties) = change { print(dog.name, properties) }
  /// }
  /// ```
  ///
  /// There is no first call: the changes are those after the version that the object is read in now. A property that was
  /// set to its own value counts. Past the configuration's ``Realm/Configuration/pinBudget`` a late observer is told of every property,
  /// without old values. When the object is deleted the block is called once more, and never again.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties that count, by names: `"name"`, `"owner.name"`. Of a path the property is reported
  ///     that it begins with. Nil: every property of the object itself; an empty array: the deletion only.
  ///   - queue: where the block is called; nil: a serial queue of the store. Calls come one at a time.
  ///   - block: what to call.
  /// - Returns: a token that must be kept: when it is dropped the observer ends.
  /// - Throws: `Realm.Error`: `.unmanaged`, `.frozen`, `.invalidatedObject`, `.unknownProperty` or `.invalidInput`
  ///   for a key path that the class does not have, `.closed`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) throws -> NotificationToken {
    try observation(keyPaths).observe(at: .queue(queue)) { block($0.change) }
  }

  /// Has a block called on an actor; see `observe(keyPaths:on:_:)`.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties that count.
  ///   - actor: where the block is called. It is held weakly.
  ///   - block: what to call.
  /// - Returns: a token that must be kept.
  /// - Throws: `Realm.Error`.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async throws -> NotificationToken {
    try observation(keyPaths).observe(at: .actor(actor)) { [weak actor] step in
      actor?.assumeIsolated { block($0, step.change) }
    }
  }

  /// Each change of the object, as `observe(keyPaths:on:_:)` tells of it; see
  /// ``ChangeSequence``. It ends with the deletion. Empty for an object that is frozen, unmanaged or deleted.
  public var changes: ChangeSequence<ObjectChange<Self>> {
    (try? observation(nil))?.sequence { $0.change } ?? .empty
  }

  /// Each change of some properties.
  ///
  /// - Parameter keyPaths: the properties that count, by names.
  /// - Returns: the changes.
  /// - Throws: `Realm.Error`, as `observe(keyPaths:on:_:)`.
  public func changes(keyPaths: [String]) throws -> ChangeSequence<ObjectChange<Self>> {
    try observation(keyPaths).sequence { $0.change }
  }

  /// As `observe(keyPaths:on:_:)`, for a block that takes changes
  /// of a superclass's objects.
  ///
  /// - Throws: `Realm.Error`: also `.invalidInput` for a class that is no superclass of the object's.
  @_disfavoredOverload
  public func observe<T: ObjectBase>(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (ObjectChange<T>) -> Void
  ) throws -> NotificationToken {
    try observation(keyPaths, as: T.self).observe(at: .queue(queue)) { block($0.change.upcast()) }
  }

  /// As `observe(keyPaths:on:_:)`, for a block that takes changes of a superclass's objects.
  ///
  /// - Throws: `Realm.Error`: also `.invalidInput` for a class that is no superclass of the object's.
  @_disfavoredOverload
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [String]? = nil, on actor: A,
    _ block: @escaping @Sendable (isolated A, ObjectChange<T>) -> Void
  ) async throws -> NotificationToken {
    try observation(keyPaths, as: T.self).observe(at: .actor(actor)) { [weak actor] step in
      actor?.assumeIsolated { block($0, step.change.upcast()) }
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

  /// How the object is observed.
  ///
  /// - Throws: `Realm.Error`, as `observe(keyPaths:on:_:)`.
  func observation(_ keyPaths: [String]?) throws -> ObjectObservation<Self> {
    try Realm.Error.translating {
      let view = try observableView()
      let watched = WatchedPathNames(keyPaths)
      try watched.check(on: info.description)
      return ObjectObservation(
        view: view,
        tracker: ObjectTracker(
          info.description, id: handle.id, paths: watched.names, of: view.store,
          token: handle.context?.token),
        id: handle.id, binding: handle.binding)
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
