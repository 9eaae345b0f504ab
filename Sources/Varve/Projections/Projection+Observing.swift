public import Dispatch
import VarveCore
import VarveEncoding

extension ProjectionObservable {
  /// Has a block called with each change of what is projected.
  ///
  /// The names of the changes are those of the projection. A property behind links is told of when its value differs;
  /// one of the object itself when it was set. Else as
  /// `observe(keyPaths:on:_:)` of an object.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties of the projection that count; nil: all of them; an empty array: the deletion only.
  ///   - queue: where the block is called; nil: a serial queue of the store. Calls come one at a time.
  ///   - block: what to call.
  /// - Returns: a token that must be kept: when it is dropped the observer ends.
  /// - Throws: `Realm.Error`: `.unmanaged`, `.frozen`, `.invalidatedObject`, `.unknownProperty` when something else
  ///   than persisted properties, over to-one links too, is projected, `.closed`.
  public func observe(
    keyPaths: [PartialKeyPath<Self>]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) throws -> NotificationToken {
    let observation = try observation(keyPaths)
    return try observation.root.observe(at: .queue(queue)) { block(observation.change($0)) }
  }

  /// Has a block called on an actor; see ``observe(keyPaths:on:_:)-([PartialKeyPath<Self>]?,DispatchQueue?,_)``.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties of the projection that count.
  ///   - actor: where the block is called. It is held weakly.
  ///   - block: what to call.
  /// - Returns: a token that must be kept.
  /// - Throws: `Realm.Error`.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>]? = nil, on actor: A,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async throws -> NotificationToken {
    let observation = try observation(keyPaths)
    return try observation.root.observe(at: .actor(actor)) { [weak actor] step in
      actor?.assumeIsolated { block($0, observation.change(step)) }
    }
  }

  /// As ``observe(keyPaths:on:_:)-([PartialKeyPath<Self>]?,DispatchQueue?,_)``, with names of the projection's properties.
  ///
  /// - Throws: `Realm.Error`: also `.unknownProperty` for a name that the projection does not have.
  @_disfavoredOverload
  public func observe(
    keyPaths: [String], on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) throws -> NotificationToken {
    let observation = try observation(named: keyPaths)
    return try observation.root.observe(at: .queue(queue)) { block(observation.change($0)) }
  }

  /// As ``observe(keyPaths:on:_:)-([PartialKeyPath<Self>]?,A,_)``, with names of the projection's properties.
  ///
  /// - Throws: `Realm.Error`: also `.unknownProperty` for a name that the projection does not have.
  @_disfavoredOverload
  public func observe<A: Actor>(
    keyPaths: [String], on actor: A,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async throws -> NotificationToken {
    let observation = try observation(named: keyPaths)
    return try observation.root.observe(at: .actor(actor)) { [weak actor] step in
      actor?.assumeIsolated { block($0, observation.change(step)) }
    }
  }

  /// Each change of what is projected; see ``ChangeSequence``. It ends with the deletion. Empty for a projection of an
  /// object that is frozen, unmanaged or deleted.
  public var changes: ChangeSequence<ObjectChange<Self>> {
    guard let observation = try? observation(nil) else { return .empty }
    return observation.root.sequence { observation.change($0) }
  }

  /// Each change of some properties of the projection.
  ///
  /// - Parameter keyPaths: the properties that count.
  /// - Returns: the changes.
  /// - Throws: `Realm.Error`, as ``observe(keyPaths:on:_:)-([PartialKeyPath<Self>]?,DispatchQueue?,_)``.
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
            .unknownProperty, "A key path is no property of the projection.",
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

/// How a projection is observed.
private struct ProjectionObservation<P: ProjectionObservable>: Sendable {
  let root: ObjectObservation<P.Root>
  let properties: [ProjectedProperty]

  /// What the observer of the projection is told.
  func change(_ step: ObjectStep<P.Root>) -> ObjectChange<P> {
    switch step {
    case .deleted: .deleted
    case .unknown(let now): .change(P(projecting: now), changes(properties, nil, now))
    case .changed(let now, let old, let names):
      .change(P(projecting: now), changes(changed(names, old, now), old, now))
    }
  }

  /// The properties to tell of.
  ///
  /// `names`: the object's own properties that were set, or behind which something was.
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
    // What was set to its own value behind a link: which it was is not known.
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
  /// The value as changes tell it, of the type that the projection has; nil for null.
  fileprivate func observed(_ root: ObjectBase) -> Any? {
    let value = Value.unwrapped(read(root))
    return Value.isNull(value) ? nil : value
  }

  /// The value without its type; unset for collections of projected values.
  fileprivate func boxed(_ root: ObjectBase) -> _Boxed {
    (read(root) as? any RealmCollectionValue)?._$boxed ?? .unset
  }
}

extension _Boxed {
  /// Whether two values of a property are equal. Collections may differ.
  fileprivate func mayShowTheSame(as other: _Boxed) -> Bool {
    switch (content, other.content) {
    case (.value(let mine), .value(let other)): mine == other
    case (.object(let mine), .object(let other)):
      ElementIdentity(object: mine) == ElementIdentity(object: other)
    default: false
    }
  }
}
