import VarveCore

// The values of a map as results, in the order of their keys. Of a map of objects the keys with null are left out.

/// An optional of an object: what maps of objects hold.
///
/// The library's conformance is all there is.
public protocol _OptionalObject {
  /// The class.
  associatedtype _$Object: ObjectBase
}

extension Optional: _OptionalObject where Wrapped: ObjectBase {
  /// The class.
  public typealias _$Object = Wrapped
}

extension Map {
  fileprivate func queried<Element: RealmCollectionValue>() -> Results<Element> {
    guard let context else {
      return UnmanagedUse.emptyResults(
        "An unmanaged map cannot be queried: its results would have no realm. Add its object to a realm, "
          + "inside a write, and query the map then; or use filter { } on its values, which works in "
          + "memory.")
    }
    return Results(elementsOf: handle, in: context)
  }
}

/// Queries on the objects of a map: keys are left out, and so are keys with null. See ``RealmCollection``, whose members
/// of the same names these are.
extension Map where Value: _OptionalObject {
  /// The objects of the map, in the order of their keys.
  ///
  /// - Precondition: the map is managed.
  /// - Complexity: O(1); nothing is read yet.
  public var objects: Results<Value._$Object> { queried() }

  /// The objects that satisfy a condition; see ``RealmCollection/where(_:)``.
  ///
  /// - Parameter condition: the condition.
  /// - Precondition: the map is managed.
  /// - Returns: the narrowed results.
  public func `where`(
    _ condition: (Query<Value._$Object>) -> Query<Bool>
  ) -> Results<Value._$Object> {
    objects.where(condition)
  }

  /// The objects that satisfy a predicate that stands in the program's text; see
  /// ``RealmCollection/filter(_:)``.
  ///
  /// - Parameter predicate: the predicate.
  /// - Precondition: the map is managed; the predicate is one, and fits the objects.
  /// - Returns: the narrowed results.
  public func filter(_ predicate: StaticString) -> Results<Value._$Object> {
    objects.filtered(byLiteral: predicate)
  }

  /// The objects that satisfy a predicate that has arguments or is known only when the program runs; see
  /// ``RealmCollection/filter(_:_:)``.
  ///
  /// - Parameters:
  ///   - predicate: the predicate.
  ///   - arguments: what stands in its places.
  /// - Precondition: the map is managed.
  /// - Returns: the narrowed results.
  /// - Throws: `Realm.Error` naming class and property.
  @_disfavoredOverload
  public func filter(
    _ predicate: some StringProtocol, _ arguments: Any?...
  ) throws -> Results<Value._$Object> {
    try objects.filtered(byText: String(predicate), arguments)
  }

  /// The objects sorted by a property; see ``RealmCollection/sorted(by:)``.
  ///
  /// - Precondition: the map is managed.
  public func sorted<V: SortableType>(
    by keyPath: KeyPath<Value._$Object, V>, ascending: Bool = true
  ) -> Results<Value._$Object> {
    objects.sorted(by: keyPath, ascending: ascending)
  }

  /// The objects sorted by a property that is named in the program's text; see
  /// ``RealmCollection/sorted(byKeyPath:ascending:)-(StaticString,Bool)``.
  ///
  /// - Precondition: the map is managed.
  public func sorted(
    byKeyPath keyPath: StaticString, ascending: Bool = true
  ) -> Results<Value._$Object> {
    objects.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// The objects sorted by a property whose name is known only when the program runs.
  ///
  /// - Parameters:
  ///   - keyPath: the name of the property, or names of to-one links and the property, separated by dots.
  ///   - ascending: the direction.
  /// - Precondition: the map is managed.
  /// - Returns: the sorted results.
  /// - Throws: `Realm.Error` naming class and property.
  @_disfavoredOverload
  public func sorted(
    byKeyPath keyPath: some StringProtocol, ascending: Bool = true
  ) throws -> Results<Value._$Object> {
    try objects.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// The objects sorted by several properties, the first having priority.
  ///
  /// - Precondition: the map is managed.
  public func sorted(by descriptors: [SortDescriptor]) -> Results<Value._$Object> {
    objects.sorted(by: descriptors)
  }

  /// The first object of each combination of some properties' values.
  ///
  /// - Precondition: the map is managed.
  public func distinct(by keyPaths: [StaticString]) -> Results<Value._$Object> {
    objects.distinct(by: keyPaths)
  }

  /// The first object of each combination of some properties' values.
  ///
  /// - Parameter keyPaths: persisted properties, over to-one links too.
  /// - Precondition: the map is managed; the key paths are that, and no collections.
  /// - Returns: the results, in the order of the keys.
  public func distinct(
    by keyPaths: [PartialKeyPath<Value._$Object>]
  ) -> Results<Value._$Object> {
    objects.distinct(by: keyPaths)
  }
}

/// Queries on the values of a map, in the order of their keys.
extension Map where Value: SortableType {
  private var queriedValues: Results<Value> { queried() }

  /// The values that satisfy a condition; see ``RealmCollection/where(_:)``.
  ///
  /// - Parameter condition: the condition.
  /// - Precondition: the map is managed.
  /// - Returns: the narrowed results.
  public func `where`(_ condition: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    queriedValues.where(condition)
  }

  /// The values that satisfy a predicate that stands in the program's text, where they are `SELF`; see
  /// ``RealmCollection/filter(_:)``.
  ///
  /// - Parameter predicate: the predicate.
  /// - Precondition: the map is managed; the predicate is one, and fits the values.
  /// - Returns: the narrowed results.
  public func filter(_ predicate: StaticString) -> Results<Value> {
    queriedValues.filtered(byLiteral: predicate)
  }

  /// The values that satisfy a predicate that has arguments or is known only when the program runs; see
  /// ``RealmCollection/filter(_:_:)``.
  ///
  /// - Parameters:
  ///   - predicate: the predicate.
  ///   - arguments: what stands in its places.
  /// - Precondition: the map is managed.
  /// - Returns: the narrowed results.
  /// - Throws: `Realm.Error`.
  @_disfavoredOverload
  public func filter(
    _ predicate: some StringProtocol, _ arguments: Any?...
  ) throws -> Results<Value> {
    try queriedValues.filtered(byText: String(predicate), arguments)
  }

  /// The values sorted; equal ones stay in the order of their keys, null comes first when ascending.
  ///
  /// - Parameter ascending: the direction.
  /// - Precondition: the map is managed.
  /// - Returns: the sorted results.
  public func sorted(ascending: Bool = true) -> Results<Value> {
    queriedValues.sorted(ascending: ascending)
  }

  /// The values sorted by the only name that they have, `"self"`; see
  /// ``RealmCollection/sorted(byKeyPath:ascending:)-(StaticString,Bool)``.
  ///
  /// - Precondition: the map is managed; the name is that.
  public func sorted(byKeyPath keyPath: StaticString, ascending: Bool = true) -> Results<Value> {
    queriedValues.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// The values sorted by `"self"`, up or down; see ``RealmCollection/sorted(by:)``.
  ///
  /// - Precondition: the map is managed; a descriptor is of that name.
  public func sorted(by descriptors: [SortDescriptor]) -> Results<Value> {
    queriedValues.sorted(by: descriptors)
  }

  /// The values without those that are equal to one before.
  ///
  /// - Precondition: the map is managed.
  /// - Returns: the results, in the order of the keys.
  public func distinct() -> Results<Value> {
    queriedValues.distinct()
  }
}
