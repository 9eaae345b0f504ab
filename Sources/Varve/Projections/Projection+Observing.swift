public import Dispatch
import VarveCore
import VarveEncoding

extension ProjectionObservable {
  /// Calls a block with each change of the projected properties.
  ///
  /// The changes contain the property names of the projection. A property reached over links is
  /// reported when its value differs, and a property of the object itself when it was set. In all
  /// other respects, the method behaves like `observe(keyPaths:on:_:)` of an object.
  ///
  /// - Parameters:
  ///   - keyPaths: The watched properties of the projection. Nil watches all properties; an empty
  ///     array watches only the deletion.
  ///   - queue: The queue on which the block is called. Nil means a serial queue of the store.
  ///     Calls never overlap.
  ///   - block: The block to call.
  /// - Returns: A token that you must keep. The observer ends when the token is deallocated.
  /// - Throws: `Realm.Error`: `.unmanaged`, `.frozen`, `.invalidatedObject`, `.closed`, or
  ///   `.unknownProperty` for a key path that is neither a persisted property nor a chain of to-one
  ///   links to one.
  public func observe(
    keyPaths: [PartialKeyPath<Self>]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) throws -> NotificationToken {
    let observation = try observation(keyPaths)
    return try observation.root.observe(at: .queue(queue)) { block(observation.change($0)) }
  }

  /// Calls a block on an actor with each change of the projected properties. See
  /// ``observe(keyPaths:on:_:)-([PartialKeyPath<Self>]?,DispatchQueue?,_)``.
  ///
  /// - Parameters:
  ///   - keyPaths: The watched properties of the projection.
  ///   - actor: The actor on which the block is called. The reference is weak.
  ///   - block: The block to call.
  /// - Returns: A token that you must keep. The observer ends when the token is deallocated.
  /// - Throws: `Realm.Error`.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>]? = nil, on actor: A,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async throws -> NotificationToken {
    let observation = try observation(keyPaths)
    return try observation.root.observe(at: .actor(actor)) { [weak actor] update in
      actor?.assumeIsolated { block($0, observation.change(update)) }
    }
  }

  /// Calls a block with each change of properties given by name. See
  /// ``observe(keyPaths:on:_:)-([PartialKeyPath<Self>]?,DispatchQueue?,_)``.
  ///
  /// - Throws: `Realm.Error`: also `.unknownProperty` for a name that the projection does not
  ///   declare.
  @_disfavoredOverload
  public func observe(
    keyPaths: [String], on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) throws -> NotificationToken {
    let observation = try observation(named: keyPaths)
    return try observation.root.observe(at: .queue(queue)) { block(observation.change($0)) }
  }

  /// Calls a block on an actor with each change of properties given by name. See
  /// ``observe(keyPaths:on:_:)-([PartialKeyPath<Self>]?,A,_)``.
  ///
  /// - Throws: `Realm.Error`: also `.unknownProperty` for a name that the projection does not
  ///   declare.
  @_disfavoredOverload
  public func observe<A: Actor>(
    keyPaths: [String], on actor: A,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async throws -> NotificationToken {
    let observation = try observation(named: keyPaths)
    return try observation.root.observe(at: .actor(actor)) { [weak actor] update in
      actor?.assumeIsolated { block($0, observation.change(update)) }
    }
  }

  /// The changes of the projected properties. The sequence ends with the deletion of the object. It
  /// is empty for a frozen, unmanaged or deleted object. See ``ChangeSequence``.
  public var changes: ChangeSequence<ObjectChange<Self>> {
    guard let observation = try? observation(nil) else { return .empty }
    return observation.root.sequence { observation.change($0) }
  }

  /// Returns each change of the given properties.
  ///
  /// - Parameter keyPaths: The watched properties of the projection.
  /// - Throws: `Realm.Error`; see
  ///   ``observe(keyPaths:on:_:)-([PartialKeyPath<Self>]?,DispatchQueue?,_)``.
  public func changes(keyPaths: [PartialKeyPath<Self>]) throws -> ChangeSequence<ObjectChange<Self>>
  {
    let observation = try observation(keyPaths)
    return observation.root.sequence { observation.change($0) }
  }

  private func observation(
    _ keyPaths: [PartialKeyPath<Self>]?
  ) throws -> ProjectionObservation<Self> {
    try observation { (properties) throws(Failure) in
      guard let keyPaths else { return properties }
      return try keyPaths.map { (keyPath) throws(Failure) in
        let path = try Self.path(keyPath)
        guard let property = properties.first(where: { $0.path == path }) else {
          throw Failure(
            .unknownProperty, "A key path is not a property of the projection.",
            className: "\(Self.self)", propertyName: path.joined(separator: "."))
        }
        return property
      }
    }
  }

  private func observation(named names: [String]) throws -> ProjectionObservation<Self> {
    try observation { (properties) throws(Failure) in
      try names.map { (name) throws(Failure) in
        guard let property = properties.first(where: { $0.name == name }) else {
          throw Failure.unknownProperty(name, "\(Self.self)")
        }
        return property
      }
    }
  }

  private func observation(
    choosing choose: ([ProjectedProperty]) throws(Failure) -> [ProjectedProperty]
  ) throws -> ProjectionObservation<Self> {
    let properties = try Realm.Error.translating { try choose(try Self.projectedProperties()) }
    return ProjectionObservation(
      root: try rootObject.observation(properties.map(\.dottedPath)), properties: properties)
  }
}

/// The observation of a projection.
private struct ProjectionObservation<P: ProjectionObservable>: Sendable {
  let root: ObjectObservation<P.Root>
  let properties: [ProjectedProperty]

  /// Converts a change of the object to a change of the projection.
  func change(_ update: ObjectUpdate<P.Root>) -> ObjectChange<P> {
    switch update {
    case .deleted: .deleted
    case .unknown(let now): .change(P(projecting: now), changes(properties, nil, now))
    case .changed(let now, let old, let names):
      .change(P(projecting: now), changes(changed(names, old, now), old, now))
    }
  }

  /// Returns the properties to report.
  ///
  /// `names`: the object's own properties that were set, or through which a changed property is
  /// reached.
  private func changed(
    _ names: [String], _ old: P.Root, _ now: P.Root
  ) -> [ProjectedProperty] {
    let candidates = properties.filter { property in
      property.path.first.map(names.contains) ?? false
    }
    let differing = candidates.filter { property in
      property.path.count == 1
        || !property.value.boxed(old).mayShowTheSame(as: property.value.boxed(now))
    }
    // A property behind a link was set to its own value, and it is not known which one.
    return differing.isEmpty ? candidates : differing
  }

  private func changes(
    _ properties: [ProjectedProperty], _ old: P.Root?, _ now: P.Root
  ) -> [PropertyChange] {
    properties.map { property in
      PropertyChange(
        name: property.name, oldValue: old.flatMap(property.value.observed),
        newValue: property.value.observed(now))
    }
  }
}

extension ProjectedValue {
  /// Returns the value for a change, with the type that it has in the projection; nil for null.
  fileprivate func observed(_ root: ObjectBase) -> Any? {
    let value = Value.unwrapped(read(root))
    return Value.isNull(value) ? nil : value
  }

  /// Returns the value as a type-erased box; unset for collections of projected values.
  fileprivate func boxed(_ root: ObjectBase) -> _Boxed {
    (read(root) as? any RealmCollectionValue)?._$boxed ?? .unset
  }
}

extension _Boxed {
  /// Whether two values of a property are known to be equal. Collections may always differ.
  fileprivate func mayShowTheSame(as other: _Boxed) -> Bool {
    switch (content, other.content) {
    case (.value(let mine), .value(let other)): mine == other
    case (.object(let mine), .object(let other)):
      ElementIdentity(object: mine) == ElementIdentity(object: other)
    default: false
    }
  }
}
