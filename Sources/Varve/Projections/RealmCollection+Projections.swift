import VarveCore

// Queries on results of projections.

extension RealmCollection where Element: ProjectionObservable {
  /// Returns the projections sorted by one of their properties. The sort is stable, and null comes
  /// first in ascending order.
  ///
  /// - Parameters:
  ///   - keyPath: A property of the projection that refers to a persisted property, also over
  ///     to-one links.
  ///   - ascending: Whether the order is ascending.
  /// - Precondition: The collection is managed, and the key path refers to such a property.
  /// - Complexity: O(1); nothing is read yet.
  public func sorted<V: SortableType>(
    by keyPath: KeyPath<Element, V>, ascending: Bool = true
  ) -> Results<Element> {
    do throws(Failure) {
      let key = ElementQuery.SortKey(path: try Element.path(keyPath), isAscending: ascending)
      return queried.ordered(by: [key])
    } catch {
      Misuse.trap(error.message)
    }
  }
}

extension ProjectionObservable {
  /// Returns the names of the stored properties that a key path of the projection refers to.
  public static func _$names(of keyPath: AnyKeyPath) throws -> [String] {
    guard let keyPath = keyPath as? PartialKeyPath<Self> else {
      throw Failure(.unknownProperty, "The key path is not a key path of \(Self.self).")
    }
    return try path(keyPath)
  }
}

extension Query where T: ProjectionObservable {
  /// The value of a property of the projection's object.
  ///
  /// - Precondition: The key path is a persisted property, not a computed one.
  public subscript<V: _Persistable>(dynamicMember keyPath: KeyPath<T.Root, V>) -> Query<V> {
    member(keyPath)
  }
}

extension Results {
  /// Returns the key paths that an observer of the results watches.
  ///
  /// - Throws: `.unknownProperty` when a projection contains a property that is not persisted.
  static func watchedPaths(_ keyPaths: [String]?) throws(Failure) -> [String]? {
    guard let projection = Element.self as? any ProjectionObservable.Type else { return keyPaths }
    return try projection.watchedPaths(keyPaths)
  }
}
