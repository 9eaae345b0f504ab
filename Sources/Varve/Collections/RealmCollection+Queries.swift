import VarveCore

extension RealmCollection {
  /// Returns the elements that satisfy a condition.
  ///
  /// ```swift
  /// dogs.where { $0.age > 5 && $0.name.starts(with: "R") }
  /// ```
  /// - Parameter condition: The condition; see ``Query`` for its operators and functions.
  /// - Precondition: The collection is managed.
  /// - Returns: The filtered results, in the order of the collection. A condition on distinct
  ///   results is applied before duplicates are removed.
  /// - Complexity: O(1); nothing is read yet.
  public func `where`(_ condition: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    queried.narrowed(by: condition(Query<Element>()).condition)
  }

  /// Returns the index of the first element that satisfies a condition; nil when there is none.
  ///
  /// The condition on an unmanaged collection is evaluated on a copy in an in-memory store. An
  /// object that the condition refers to is equal to no object there. When one element links to
  /// several objects with the same primary key, the copy contains only one of them.
  ///
  /// - Parameter condition: The condition; see ``Query`` for its operators and functions.
  /// - Complexity: O(n); for an unmanaged collection of objects, one in-memory write per object.
  public func index(matching condition: (Query<Element>) -> Query<Bool>) -> Int? {
    guard let results = _$results else {
      return loggedIndexInManagedCopy { $0.index(matching: condition) }
    }
    return results.index(satisfying: condition(Query<Element>()).condition)
  }

  /// Returns the elements sorted by several properties, the first of which has priority. The sort
  /// is stable: equal elements keep their order.
  ///
  /// - Parameter descriptors: The properties. Without any, the order is unchanged. Values have one
  ///   property, `"self"`.
  /// - Precondition: The collection is managed. The class has such properties, and each has an
  ///   order.
  /// - Returns: The sorted results. The collection itself is unchanged.
  /// - Complexity: O(1); nothing is read yet.
  public func sorted(by descriptors: [SortDescriptor]) -> Results<Element> {
    queried.ordered(by: descriptors.map(\.key))
  }

  /// Returns the elements sorted by a property given by a literal name; see ``sorted(by:)``.
  ///
  /// - Parameters:
  ///   - keyPath: The name of the property, or a path of to-one links and the property, separated
  ///     by dots; `"self"` for values.
  ///   - ascending: Whether the order is ascending.
  /// - Precondition: The collection is managed. The property exists and has an order.
  /// - Returns: The sorted results.
  public func sorted(
    byKeyPath keyPath: StaticString, ascending: Bool = true
  ) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// Returns the elements sorted by a property given by name at run time; see ``sorted(by:)``.
  ///
  /// - Parameters:
  ///   - keyPath: The name of the property, or a path of to-one links and the property, separated
  ///     by dots; `"self"` for values.
  ///   - ascending: Whether the order is ascending.
  /// - Precondition: The collection is managed.
  /// - Returns: The sorted results.
  /// - Throws: `Realm.Error` with the class and the property: `.unknownProperty` for a property
  ///   that the class does not have, `.invalidInput` for a collection, linking objects, a link, or
  ///   a path through a property that is not a to-one link.
  @_disfavoredOverload
  public func sorted(
    byKeyPath keyPath: some StringProtocol, ascending: Bool = true
  ) throws -> Results<Element> {
    // Generic, because the compiler prefers `String` for a literal, disfavored or not.
    let results = queried
    return try Realm.Error.translating {
      try results.sorted(byName: String(keyPath), ascending: ascending)
    }
  }

  /// Returns the first element for each combination of values of the given properties. Elements for
  /// which a key path crosses a null link are omitted too.
  ///
  /// - Parameter keyPaths: The names of the properties, or paths of to-one links and a property,
  ///   separated by dots; `"self"` for values.
  /// - Precondition: The collection is managed. The properties exist, and are not collections.
  /// - Returns: The results, in the order of the collection. Filters added later are applied before
  ///   duplicates are removed.
  /// - Complexity: O(1); nothing is read yet.
  public func distinct(by keyPaths: [StaticString]) -> Results<Element> {
    let results = queried
    do throws(Failure) {
      return try results.distinct(byNames: keyPaths.map(\.description))
    } catch {
      if let none = results.refused(error) { return none }
      Misuse.trap(
        "Elements cannot be made distinct by '\(error.propertyName ?? "")': \(error.message)")
    }
  }

  /// Returns the first element for each combination of values of properties given by name at run
  /// time. See ``distinct(by:)-([StaticString])``.
  ///
  /// - Precondition: The collection is managed.
  /// - Throws: `Realm.Error` with the class and the property.
  @_disfavoredOverload
  public func distinct(by keyPaths: [some StringProtocol]) throws -> Results<Element> {
    let results = queried
    return try Realm.Error.translating {
      try results.distinct(byNames: keyPaths.map { String($0) })
    }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Returns the objects sorted by a property. The sort is stable, and null comes first in
  /// ascending order.
  ///
  /// - Parameters:
  ///   - keyPath: A persisted property, which may be reached over to-one links: `\.owner?.name`.
  ///   - ascending: Whether the order is ascending.
  /// - Precondition: The collection is managed. The key path is not a computed property or a member
  ///   of a property's value.
  /// - Returns: The sorted results. The collection itself is unchanged.
  /// - Complexity: O(1); nothing is read yet.
  public func sorted<V: SortableType>(
    by keyPath: KeyPath<Element, V>, ascending: Bool = true
  ) -> Results<Element> {
    queried.ordered(by: [
      ElementQuery.SortKey(path: ClassInfo.path(keyPath), isAscending: ascending)
    ])
  }

  /// Returns the first object for each combination of values of the given properties; see
  /// ``distinct(by:)-([StaticString])``.
  ///
  /// - Parameter keyPaths: Persisted properties, which may be reached over to-one links.
  /// - Precondition: The collection is managed. The key paths are persisted properties, and not
  ///   collections.
  public func distinct(by keyPaths: [PartialKeyPath<Element>]) -> Results<Element> {
    let names = keyPaths.map { ClassInfo.path($0).joined(separator: ".") }
    let results = queried
    do throws(Failure) {
      return try results.distinct(byNames: names)
    } catch {
      Misuse.trap(
        "Objects cannot be made distinct by '\(error.propertyName ?? "")': \(error.message)")
    }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Returns the objects sorted by a string property with a collation.
  ///
  /// - Parameters:
  ///   - keyPath: A persisted property, which may be reached over to-one links.
  ///   - ascending: Whether the order is ascending.
  ///   - collation: The comparison of strings; see ``SortDescriptor/Collation``.
  /// - Precondition: See `sorted(by:ascending:)`.
  /// - Returns: The sorted results.
  public func sorted<V: _QueryString & SortableType>(
    by keyPath: KeyPath<Element, V>, ascending: Bool = true,
    collation: SortDescriptor.Collation
  ) -> Results<Element> {
    queried.ordered(by: [
      ElementQuery.SortKey(
        path: ClassInfo.path(keyPath), isAscending: ascending, collation: collation.textCollation)
    ])
  }
}

extension RealmCollection where Element: SortableType {
  /// Returns the values sorted. In ascending order null comes first, then NaN.
  ///
  /// - Parameter ascending: Whether the order is ascending.
  /// - Precondition: The collection is managed.
  /// - Returns: The sorted results. The collection itself is unchanged.
  /// - Complexity: O(1); nothing is read yet.
  public func sorted(ascending: Bool) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending)])
  }

  /// Returns the values without duplicates.
  ///
  /// - Precondition: The collection is managed.
  /// - Returns: The results, in the order of the collection.
  /// - Complexity: O(1); nothing is read yet.
  public func distinct() -> Results<Element> { distinct(by: ["self"]) }
}
