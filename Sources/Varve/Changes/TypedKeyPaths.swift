public import Dispatch
import VarveCore

// Key paths in place of names: the compiler checks them, but for what lies behind a list or map.

extension RealmCollection where Element: _KeyPathNamed {
  /// As ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``, with key paths that the compiler checks.
  ///
  /// - Throws: `Realm.Error`: also `.unknownProperty` for a key path that is no persisted property, nor a chain of
  ///   to-one links that ends in one.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
  ) throws -> NotificationToken {
    try observe(keyPaths: try keyPathNames(keyPaths), on: queue, block)
  }

  /// As ``observe(keyPaths:on:_:)-([String]?,A,_)``, with key paths that the compiler checks.
  @_disfavoredOverload
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A,
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
  ) async throws -> NotificationToken {
    try await observe(keyPaths: try keyPathNames(keyPaths), on: actor, block)
  }

  /// As ``changes(keyPaths:)-([String])``, with key paths that the compiler checks.
  @_disfavoredOverload
  public func changes(
    keyPaths: [PartialKeyPath<Element>]
  ) throws -> ChangeSequence<Change<Self, CollectionChanges>> {
    try changes(keyPaths: try keyPathNames(keyPaths))
  }
}

extension Map {
  /// As ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``, with key paths that the compiler checks.
  ///
  /// - Throws: `Realm.Error`: also `.unknownProperty` for a key path that is no persisted property, nor a chain of
  ///   to-one links that ends in one.
  @_disfavoredOverload
  public func observe<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (RealmMapChange<Map>) -> Void
  ) throws -> NotificationToken where Value == T? {
    try observe(keyPaths: try keyPathNames(keyPaths), on: queue, block)
  }

  /// As ``observe(keyPaths:on:_:)-([String]?,A,_)``, with key paths that the compiler checks.
  @_disfavoredOverload
  public func observe<A: Actor, T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>], on actor: A,
    _ block: @escaping @Sendable (isolated A, RealmMapChange<Map>) -> Void
  ) async throws -> NotificationToken where Value == T? {
    try await observe(keyPaths: try keyPathNames(keyPaths), on: actor, block)
  }

  /// As ``changes(keyPaths:)-([String])``, with key paths that the compiler checks.
  @_disfavoredOverload
  public func changes<T: ObjectBase>(
    keyPaths: [PartialKeyPath<T>]
  ) throws -> ChangeSequence<Change<Map, MapChanges>> where Value == T? {
    try changes(keyPaths: try keyPathNames(keyPaths))
  }
}

extension RealmCollectionValue where Self: ObjectBase {
  /// As `observe(keyPaths:on:_:)`, with key paths that the compiler checks.
  ///
  /// - Throws: `Realm.Error`: also `.unknownProperty` for a key path that is no persisted property, nor a chain of
  ///   to-one links that ends in one.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) throws -> NotificationToken {
    try observe(keyPaths: try keyPathNames(keyPaths), on: queue, block)
  }

  /// As `observe(keyPaths:on:_:)`, with key paths that the compiler checks.
  @_disfavoredOverload
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A,
    _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
  ) async throws -> NotificationToken {
    try await observe(keyPaths: try keyPathNames(keyPaths), on: actor, block)
  }

  /// As ``changes(keyPaths:)-([String])``, with key paths that the compiler checks.
  @_disfavoredOverload
  public func changes(keyPaths: [PartialKeyPath<Self>]) throws -> ChangeSequence<ObjectChange<Self>>
  {
    try changes(keyPaths: try keyPathNames(keyPaths))
  }
}

/// Elements whose key paths stand for stored properties: objects and projections. It has no members for users.
public protocol _KeyPathNamed: RealmCollectionValue {
  /// The names of the links and the property that a key path of the type leads over.
  ///
  /// - Throws: for a key path that is no persisted property, nor a chain of to-one links that ends in one.
  static func _$names(of keyPath: AnyKeyPath) throws -> [String]
}

extension ObjectBase: _KeyPathNamed {}

extension _KeyPathNamed where Self: ObjectBase {
  /// The names of the links and the property that a key path of the class leads over.
  public static func _$names(of keyPath: AnyKeyPath) throws -> [String] {
    guard let keyPath = keyPath as? PartialKeyPath<Self> else {
      throw Failure(.unknownProperty, "The key path is one of another type than \(Self.self).")
    }
    return try ClassInfo.names(of: keyPath)
  }
}

/// Key paths as names, separated by dots.
func keyPathNames<Root: _KeyPathNamed>(_ keyPaths: [PartialKeyPath<Root>]) throws -> [String] {
  try Realm.Error.translating {
    try keyPaths.map { try Root._$names(of: $0).joined(separator: ".") }
  }
}
