public import Dispatch
import VarveCore

// Queries and observers of results of projections.

extension RealmCollection where Element: ProjectionObservable {
  /// The projections sorted by one of their properties. Ties keep the order before; null comes first when ascending.
  ///
  /// - Parameters:
  ///   - keyPath: a property of the projection that stands for a persisted one, over to-one links too.
  ///   - ascending: the direction.
  /// - Precondition: the collection is managed; the key path is that.
  /// - Returns: the sorted results.
  /// - Complexity: O(1); nothing is read yet.
  public func sorted<V: SortableType>(
    by keyPath: KeyPath<Element, V>, ascending: Bool = true
  ) -> Results<Element> {
    do throws(Failure) {
      let key = ElementQuery.SortKey(path: try Element.path(keyPath), isAscending: ascending)
      return queried.ordered(by: [key])
    } catch {
      QueryMisuse.trap(error.message)
    }
  }

  /// As ``observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``, with key paths that the compiler checks.
  ///
  /// - Throws: `Realm.Error`: also `.unknownProperty` for a key path that is no property of the projection.
  @_disfavoredOverload
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (RealmCollectionChange<Self>) -> Void
  ) throws -> NotificationToken {
    try observe(keyPaths: try Element.names(keyPaths), on: queue, block)
  }

  /// As ``observe(keyPaths:on:_:)-([String]?,A,_)``, with key paths that the compiler checks.
  @_disfavoredOverload
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A,
    _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
  ) async throws -> NotificationToken {
    try await observe(keyPaths: try Element.names(keyPaths), on: actor, block)
  }

  /// As ``changes(keyPaths:)-([String])``, with key paths that the compiler checks.
  @_disfavoredOverload
  public func changes(
    keyPaths: [PartialKeyPath<Element>]
  ) throws -> ChangeSequence<Change<Self, CollectionChanges>> {
    try changes(keyPaths: try Element.names(keyPaths))
  }

}

extension ProjectionObservable {
  /// Key paths as the names of what they stand for, separated by dots.
  static func names(_ keyPaths: [PartialKeyPath<Self>]) throws -> [String] {
    try Realm.Error.translating {
      try keyPaths.map { (keyPath) throws(Failure) in
        try path(keyPath).joined(separator: ".")
      }
    }
  }
}

extension Query where T: ProjectionObservable {
  /// A property of the projection's object.
  ///
  /// - Precondition: the key path is a persisted property, not a computed one.
  public subscript<V: _Persistable>(dynamicMember keyPath: KeyPath<T.Root, V>) -> Query<V> {
    member(keyPath)
  }
}

extension Results {
  /// The key paths that an observer of the results watches.
  ///
  /// - Throws: `.unknownProperty`, where a projection shows something else than persisted properties.
  static func watchedPaths(_ keyPaths: [String]?) throws(Failure) -> [String]? {
    guard let projection = Element.self as? any ProjectionObservable.Type else { return keyPaths }
    return try projection.watchedPaths(keyPaths)
  }
}
