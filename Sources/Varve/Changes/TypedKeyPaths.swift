public import Dispatch
import VarveCore

// Key paths instead of names: the compiler checks them, except for the part behind a list or map.

extension RealmCollection where Element: _KeyPathNamed {
  /// Calls a block with the initial state, and then with each change, and watches properties given
  /// as key paths. See ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  ///
  /// - Throws: `Realm.Error`: also `.unknownProperty` for a key path that is neither a persisted
  ///   property nor a chain of to-one links to one.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
  ) throws -> NotificationToken {
    try observe(keyPaths: try keyPathNames(keyPaths), on: queue, block)
  }

  /// Calls a block on an actor with the initial state, and then with each change, and watches
  /// properties given as key paths. See ``observe(keyPaths:on:_:)-([String]?,A,_)``.
  @_disfavoredOverload
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A,
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
  ) async throws -> NotificationToken {
    try await observe(keyPaths: try keyPathNames(keyPaths), on: actor, block)
  }

  /// Returns the initial state, followed by each change of properties given as key paths. See
  /// ``changes(keyPaths:)-([String])``.
  @_disfavoredOverload
  public func changes(
    keyPaths: [PartialKeyPath<Element>]
  ) throws -> ChangeSequence<Change<Self, CollectionChanges>> {
    try changes(keyPaths: try keyPathNames(keyPaths))
  }
}

extension Map {
  /// Calls a block with the initial state, and then with each change, and watches properties given
  /// as key paths. See ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  ///
  /// - Throws: `Realm.Error`: also `.unknownProperty` for a key path that is neither a persisted
  ///   property nor a chain of to-one links to one.
  @_disfavoredOverload
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (RealmMapChange<Map>) -> Void
  ) throws -> NotificationToken where Value == T? {
    try observe(keyPaths: try keyPathNames(keyPaths), on: queue, block)
  }

  /// Calls a block on an actor with the initial state, and then with each change, and watches
  /// properties given as key paths. See ``observe(keyPaths:on:_:)-([String]?,A,_)``.
  @_disfavoredOverload
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on actor: A,
    _ block: @escaping @Sendable (isolated A, RealmMapChange<Map>) -> Void
  ) async throws -> NotificationToken where Value == T? {
    try await observe(keyPaths: try keyPathNames(keyPaths), on: actor, block)
  }

  /// Returns the initial state, followed by each change of properties given as key paths. See
  /// ``changes(keyPaths:)-([String])``.
  @_disfavoredOverload
  public func changes<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>]
  ) throws -> ChangeSequence<Change<Map, MapChanges>> where Value == T? {
    try changes(keyPaths: try keyPathNames(keyPaths))
  }
}

extension RealmCollectionValue where Self: ObjectBase {
  /// Calls a block with each change of properties given as key paths. See
  /// `observe(keyPaths:on:_:)`.
  ///
  /// - Throws: `Realm.Error`: also `.unknownProperty` for a key path that is neither a persisted
  ///   property nor a chain of to-one links to one.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) throws -> NotificationToken {
    try observe(keyPaths: try keyPathNames(keyPaths), on: queue, block)
  }

  /// Calls a block on an actor with each change of properties given as key paths. See
  /// `observe(keyPaths:on:_:)`.
  @_disfavoredOverload
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async throws -> NotificationToken {
    try await observe(keyPaths: try keyPathNames(keyPaths), on: actor, block)
  }

  /// Returns each change of properties given as key paths. See ``changes(keyPaths:)-([String])``.
  @_disfavoredOverload
  public func changes(keyPaths: [PartialKeyPath<Self>]) throws -> ChangeSequence<ObjectChange<Self>>
  {
    try changes(keyPaths: try keyPathNames(keyPaths))
  }
}

/// An element type whose key paths name stored properties: an object or a projection. It has no
/// public members.
public protocol _KeyPathNamed: RealmCollectionValue {
  /// Returns the names of the links and of the property in a key path.
  ///
  /// - Throws: An error for a key path that is neither a persisted property nor a chain of to-one
  ///   links to one.
  static func _$names(of keyPath: AnyKeyPath) throws -> [String]
}

extension ObjectBase: _KeyPathNamed {}

extension _KeyPathNamed where Self: ObjectBase {
  /// Returns the names of the links and of the property in a key path of the class.
  public static func _$names(of keyPath: AnyKeyPath) throws -> [String] {
    guard let keyPath = keyPath as? PartialKeyPath<Self> else {
      throw Failure(.unknownProperty, "The key path is not a key path of \(Self.self).")
    }
    return try ClassInfo.names(of: keyPath)
  }
}

/// Returns key paths as names, separated by dots.
func keyPathNames<Root: _KeyPathNamed>(_ keyPaths: [PartialKeyPath<Root>]) throws -> [String] {
  try Realm.Error.translating {
    try keyPaths.map { try Root._$names(of: $0).joined(separator: ".") }
  }
}
