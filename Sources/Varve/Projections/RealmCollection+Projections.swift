import VarveCore

// Queries of results of projections.

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
}

extension ProjectionObservable {
  /// The names of the stored properties that a key path of the projection leads over.
  public static func _$names(of keyPath: AnyKeyPath) throws -> [String] {
    guard let keyPath = keyPath as? PartialKeyPath<Self> else {
      throw Failure(.unknownProperty, "The key path is one of another type than \(Self.self).")
    }
    return try path(keyPath)
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
