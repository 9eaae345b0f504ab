import VarveCore

extension Results {
  /// The objects that satisfy a condition as well.
  ///
  /// ```swift
  /// dogs.where { $0.age > 5 && $0.name.starts(with: "R") }
  /// ```
  /// - Parameter condition: the condition; see ``Query`` for what it may ask.
  /// - Returns: the narrowed results.
  /// - Complexity: O(1); nothing is read yet.
  public func `where`(_ condition: (Query<Element>) -> Query<Bool>) -> Results {
    var query = cell.query
    let added = condition(Query<Element>()).condition
    query.condition = query.condition.isAlways ? added : .and(query.condition, added)
    return Results(ResultsCell(context: cell.context, query: query))
  }

  /// The objects sorted by a property. Ties keep the order before; null comes first when ascending.
  ///
  /// - Parameters:
  ///   - keyPath: a persisted property, over to-one links too: `\.owner?.name`.
  ///   - ascending: the direction.
  /// - Precondition: the key path is that: not a computed property, not a member of a property's value.
  /// - Returns: the sorted results.
  /// - Complexity: O(1); nothing is read yet.
  public func sorted<V: SortableType>(
    by keyPath: KeyPath<Element, V>, ascending: Bool = true
  ) -> Results {
    let path = ClassInfo.path(keyPath)
    return sorted(by: [SortDescriptor(ObjectQuery.SortKey(path: path, isAscending: ascending))])
  }

  /// The objects sorted by a property that is named in the program's text; see
  /// ``sorted(by:ascending:)``.
  ///
  /// - Parameters:
  ///   - keyPath: the name of the property, or names of to-one links and the property, separated by
  ///     dots.
  ///   - ascending: the direction.
  /// - Precondition: there is such a property, and it has an order.
  /// - Returns: the sorted results.
  public func sorted(byKeyPath keyPath: StaticString, ascending: Bool = true) -> Results {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The objects sorted by a property whose name is known only when the program runs; see
  /// ``sorted(by:ascending:)``.
  ///
  /// - Parameters:
  ///   - keyPath: the name of the property, or names of to-one links and the property, separated by
  ///     dots.
  ///   - ascending: the direction.
  /// - Returns: the sorted results.
  /// - Throws: `Realm.Error` naming class and property: `.unknownProperty` for a name that its class
  ///   does not have, `.invalidInput` for a collection, linking objects, a link, or a path through what
  ///   is no to-one link.
  @_disfavoredOverload
  public func sorted(
    byKeyPath keyPath: some StringProtocol, ascending: Bool = true
  ) throws -> Results {
    // Generic, because the compiler prefers `String` for a literal, disfavoured or not.
    let type = Element.self
    return sorted(by: [
      try SortDescriptor(keyPath: String(keyPath), of: type, ascending: ascending)
    ])
  }

  /// The objects sorted by several properties, the first having priority. Ties keep the order before.
  ///
  /// - Parameter descriptors: the properties; without any the order stays as it is.
  /// - Precondition: the class has such properties, and each has an order.
  /// - Returns: the sorted results.
  public func sorted(by descriptors: [SortDescriptor]) -> Results {
    var query = cell.query
    for descriptor in descriptors { descriptor.require(on: query.model) }
    query.sortKeys = descriptors.map(\.key) + query.sortKeys
    return Results(ResultsCell(context: cell.context, query: query))
  }
}
