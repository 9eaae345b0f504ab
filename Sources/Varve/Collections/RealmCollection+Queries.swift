import VarveCore

extension RealmCollection {
  /// The elements that satisfy a condition.
  ///
  /// ```swift
  /// dogs.where { $0.age > 5 && $0.name.starts(with: "R") }
  /// ```
  /// - Parameter condition: the condition; see ``Query`` for what it may ask.
  /// - Precondition: the collection is managed.
  /// - Returns: the narrowed results, in the order of the collection. A condition on results that are distinct is asked
  ///   before equal ones are left out.
  /// - Complexity: O(1); nothing is read yet.
  public func `where`(_ condition: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    queried.narrowed(by: condition(Query<Element>()).condition)
  }

  /// The place of the first element that satisfies a condition.
  ///
  /// Of an unmanaged collection a copy is asked, in a store in memory: an object that the condition names equals none there.
  /// Of several objects with one key that one element leads to, the copy has one.
  ///
  /// - Parameter condition: the condition; see ``Query`` for what it may ask.
  /// - Returns: nil when there is none.
  /// - Complexity: O(n); for an unmanaged collection of objects with a write each, in memory.
  public func index(matching condition: (Query<Element>) -> Query<Bool>) -> Int? {
    guard let results = _$results else {
      return loggedIndexInManagedCopy { $0.index(matching: condition) }
    }
    return results.index(satisfying: condition(Query<Element>()).condition)
  }

  /// The elements sorted by several properties, the first having priority. Ties keep the order before.
  ///
  /// - Parameter descriptors: the properties; without any the order stays as it is. Values have one, `"self"`.
  /// - Precondition: the collection is managed; the class has such properties, and each has an order.
  /// - Returns: the sorted results; the collection itself stays as it is.
  /// - Complexity: O(1); nothing is read yet.
  public func sorted(by descriptors: [SortDescriptor]) -> Results<Element> {
    queried.ordered(by: descriptors.map(\.key))
  }

  /// The elements sorted by a property that is named in the program's text; see ``sorted(by:)``.
  ///
  /// - Parameters:
  ///   - keyPath: the name of the property, or names of to-one links and the property, separated by
  ///     dots; `"self"` for values.
  ///   - ascending: the direction.
  /// - Precondition: the collection is managed; there is such a property, and it has an order.
  /// - Returns: the sorted results.
  public func sorted(
    byKeyPath keyPath: StaticString, ascending: Bool = true
  ) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The elements sorted by a property whose name is known only when the program runs; see ``sorted(by:)``.
  ///
  /// - Parameters:
  ///   - keyPath: the name of the property, or names of to-one links and the property, separated by
  ///     dots; `"self"` for values.
  ///   - ascending: the direction.
  /// - Precondition: the collection is managed.
  /// - Returns: the sorted results.
  /// - Throws: `Realm.Error` naming class and property: `.unknownProperty` for a name that its class
  ///   does not have, `.invalidInput` for a collection, linking objects, a link, or a path through what
  ///   is no to-one link.
  @_disfavoredOverload
  public func sorted(
    byKeyPath keyPath: some StringProtocol, ascending: Bool = true
  ) throws -> Results<Element> {
    // Generic, because the compiler prefers `String` for a literal, disfavoured or not.
    let results = queried
    return try Realm.Error.translating {
      try results.sorted(byName: String(keyPath), ascending: ascending)
    }
  }

  /// The first element of each combination of some properties' values; the others are left out, and those from which a key
  /// path leads over a link that is null.
  ///
  /// - Parameter keyPaths: the names of the properties, or of to-one links and the property, separated by dots; `"self"`
  ///   for values.
  /// - Precondition: the collection is managed; there are such properties, and they are no collections.
  /// - Returns: the results, in the order of the collection. Conditions added later are asked before.
  /// - Complexity: O(1); nothing is read yet.
  public func distinct(by keyPaths: [StaticString]) -> Results<Element> {
    let results = queried
    do throws(Failure) {
      return try results.distinct(byNames: keyPaths.map(\.description))
    } catch {
      if let none = results.refused(error) { return none }
      QueryMisuse.trap(
        "Elements cannot be made distinct by '\(error.propertyName ?? "")': \(error.message)")
    }
  }

  /// As ``distinct(by:)-([StaticString])``, with names that are known only when the program runs.
  ///
  /// - Parameter keyPaths: the names.
  /// - Precondition: the collection is managed.
  /// - Returns: the results.
  /// - Throws: `Realm.Error` naming class and property.
  @_disfavoredOverload
  public func distinct(by keyPaths: [some StringProtocol]) throws -> Results<Element> {
    let results = queried
    return try Realm.Error.translating {
      try results.distinct(byNames: keyPaths.map { String($0) })
    }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The objects sorted by a property. Ties keep the order before; null comes first when ascending.
  ///
  /// - Parameters:
  ///   - keyPath: a persisted property, over to-one links too: `\.owner?.name`.
  ///   - ascending: the direction.
  /// - Precondition: the collection is managed; the key path is that: not a computed property, not a member of a
  ///   property's value.
  /// - Returns: the sorted results; the collection itself stays as it is.
  /// - Complexity: O(1); nothing is read yet.
  public func sorted<V: SortableType>(
    by keyPath: KeyPath<Element, V>, ascending: Bool = true
  ) -> Results<Element> {
    queried.ordered(by: [
      ElementQuery.SortKey(path: ClassInfo.path(keyPath), isAscending: ascending)
    ])
  }

  /// The first object of each combination of some properties' values; see ``distinct(by:)-([StaticString])``.
  ///
  /// - Parameter keyPaths: persisted properties, over to-one links too.
  /// - Precondition: the collection is managed; the key paths are that, and no collections.
  /// - Returns: the results.
  public func distinct(by keyPaths: [PartialKeyPath<Element>]) -> Results<Element> {
    let names = keyPaths.map { ClassInfo.path($0).joined(separator: ".") }
    let results = queried
    do throws(Failure) {
      return try results.distinct(byNames: names)
    } catch {
      QueryMisuse.trap(
        "Objects cannot be made distinct by '\(error.propertyName ?? "")': \(error.message)")
    }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The objects sorted by a string, compared in another way than by bytes; see ``SortDescriptor/Collation``.
  ///
  /// - Parameters:
  ///   - keyPath: a persisted property, over to-one links too.
  ///   - ascending: the direction.
  ///   - collation: how strings are compared.
  /// - Precondition: as of `sorted(by:ascending:)`.
  /// - Returns: the sorted results.
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
  /// The values sorted; null comes first when ascending, then NaN.
  ///
  /// - Parameter ascending: the direction.
  /// - Precondition: the collection is managed.
  /// - Returns: the sorted results; the collection itself stays as it is.
  /// - Complexity: O(1); nothing is read yet.
  public func sorted(ascending: Bool) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending)])
  }

  /// The values without those that are equal to one before.
  ///
  /// - Precondition: the collection is managed.
  /// - Returns: the results, in the order of the collection.
  /// - Complexity: O(1); nothing is read yet.
  public func distinct() -> Results<Element> { distinct(by: ["self"]) }
}
