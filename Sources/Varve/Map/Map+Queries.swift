import VarveCore

// The values of a map as results, in the order of their keys. For a map of objects, keys whose
// value is null are omitted.

/// An optional object, which is the value type of a map of objects.
///
/// Only the library's type conforms to this protocol.
public protocol _OptionalObject {
  /// The class of the objects.
  associatedtype _$Object: ObjectBase
}

extension Optional: _OptionalObject where Wrapped: ObjectBase {
  /// The class of the objects.
  public typealias _$Object = Wrapped
}

extension Map {
  fileprivate func queried<Element: RealmCollectionValue>() -> Results<Element> {
    guard let context else {
      return UnmanagedUse.emptyResults(
        "An unmanaged map cannot be queried: its results would have no realm. "
          + "Add its object to a realm, inside a write, and query the map then; or use "
          + "filter { } on its values, which works in memory.")
    }
    return Results(elementsOf: handle, in: context)
  }
}

/// Queries on the objects of a map. The results contain no keys, and no entries whose value is
/// null. See the members of ``RealmCollection`` with the same names.
extension Map where Value: _OptionalObject {
  /// The objects of the map, in the order of their keys.
  ///
  /// - Precondition: The map is managed.
  /// - Complexity: O(1); nothing is read yet.
  public var objects: Results<Value._$Object> { queried() }

  /// Returns the objects that satisfy a condition; see ``RealmCollection/where(_:)``.
  ///
  /// - Precondition: The map is managed.
  public func `where`(
    _ condition: (Query<Value._$Object>) -> Query<Bool>
  ) -> Results<Value._$Object> {
    objects.where(condition)
  }

  /// Returns the objects that match a literal predicate; see ``RealmCollection/filter(_:)``.
  ///
  /// - Precondition: The map is managed. The predicate is valid for the class of the objects.
  public func filter(_ predicate: StaticString) -> Results<Value._$Object> {
    objects.filtered(byLiteral: predicate)
  }

  /// Returns the objects that match a predicate with arguments, or one given at run time; see
  /// ``RealmCollection/filter(_:_:)``.
  ///
  /// - Parameters:
  ///   - predicate: The predicate format.
  ///   - arguments: The arguments for the placeholders of the predicate.
  /// - Precondition: The map is managed.
  /// - Throws: `Realm.Error` with the class and the property.
  @_disfavoredOverload
  public func filter(
    _ predicate: some StringProtocol, _ arguments: Any?...
  ) throws -> Results<Value._$Object> {
    try objects.filtered(byText: String(predicate), arguments)
  }

  /// Returns the objects sorted by a property; see ``RealmCollection/sorted(by:)``.
  ///
  /// - Precondition: The map is managed.
  public func sorted<V: SortableType>(
    by keyPath: KeyPath<Value._$Object, V>, ascending: Bool = true
  ) -> Results<Value._$Object> {
    objects.sorted(by: keyPath, ascending: ascending)
  }

  /// Returns the objects sorted by a property given by a literal name; see
  /// ``RealmCollection/sorted(byKeyPath:ascending:)-(StaticString,Bool)``.
  ///
  /// - Precondition: The map is managed.
  public func sorted(
    byKeyPath keyPath: StaticString, ascending: Bool = true
  ) -> Results<Value._$Object> {
    objects.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// Returns the objects sorted by a property given by name at run time.
  ///
  /// - Parameters:
  ///   - keyPath: The name of the property, or a path of to-one links and the property, separated
  ///     by dots.
  ///   - ascending: Whether the order is ascending.
  /// - Precondition: The map is managed.
  /// - Throws: `Realm.Error` with the class and the property.
  @_disfavoredOverload
  public func sorted(
    byKeyPath keyPath: some StringProtocol, ascending: Bool = true
  ) throws -> Results<Value._$Object> {
    try objects.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// Returns the objects sorted by several properties, the first of which has priority.
  ///
  /// - Precondition: The map is managed.
  public func sorted(by descriptors: [SortDescriptor]) -> Results<Value._$Object> {
    objects.sorted(by: descriptors)
  }

  /// Returns the first object for each combination of values of the given properties.
  ///
  /// - Precondition: The map is managed.
  public func distinct(by keyPaths: [StaticString]) -> Results<Value._$Object> {
    objects.distinct(by: keyPaths)
  }

  /// Returns the first object for each combination of values of the given properties.
  ///
  /// - Parameter keyPaths: Persisted properties, which may be reached over to-one links.
  /// - Precondition: The map is managed. The key paths are persisted properties, and not
  ///   collections.
  /// - Returns: The results, in the order of the keys.
  public func distinct(
    by keyPaths: [PartialKeyPath<Value._$Object>]
  ) -> Results<Value._$Object> {
    objects.distinct(by: keyPaths)
  }
}

/// Queries on the values of a map, in the order of their keys.
extension Map where Value: SortableType {
  private var queriedValues: Results<Value> { queried() }

  /// Returns the values that satisfy a condition; see ``RealmCollection/where(_:)``.
  ///
  /// - Precondition: The map is managed.
  public func `where`(_ condition: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    queriedValues.where(condition)
  }

  /// Returns the values that match a literal predicate, in which `SELF` is the value; see
  /// ``RealmCollection/filter(_:)``.
  ///
  /// - Precondition: The map is managed. The predicate is valid for the type of the values.
  public func filter(_ predicate: StaticString) -> Results<Value> {
    queriedValues.filtered(byLiteral: predicate)
  }

  /// Returns the values that match a predicate with arguments, or one given at run time; see
  /// ``RealmCollection/filter(_:_:)``.
  ///
  /// - Parameters:
  ///   - predicate: The predicate format.
  ///   - arguments: The arguments for the placeholders of the predicate.
  /// - Precondition: The map is managed.
  /// - Throws: `Realm.Error`.
  @_disfavoredOverload
  public func filter(
    _ predicate: some StringProtocol, _ arguments: Any?...
  ) throws -> Results<Value> {
    try queriedValues.filtered(byText: String(predicate), arguments)
  }

  /// Returns the values sorted. Equal values stay in the order of their keys, and null comes first
  /// in ascending order.
  ///
  /// - Parameter ascending: Whether the order is ascending.
  /// - Precondition: The map is managed.
  public func sorted(ascending: Bool = true) -> Results<Value> {
    queriedValues.sorted(ascending: ascending)
  }

  /// Returns the values sorted by `"self"`, the only valid name; see
  /// ``RealmCollection/sorted(byKeyPath:ascending:)-(StaticString,Bool)``.
  ///
  /// - Precondition: The map is managed. The name is `"self"`.
  public func sorted(byKeyPath keyPath: StaticString, ascending: Bool = true) -> Results<Value> {
    queriedValues.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// Returns the values sorted by `"self"`, ascending or descending; see
  /// ``RealmCollection/sorted(by:)``.
  ///
  /// - Precondition: The map is managed. The descriptors have the name `"self"`.
  public func sorted(by descriptors: [SortDescriptor]) -> Results<Value> {
    queriedValues.sorted(by: descriptors)
  }

  /// Returns the values without duplicates.
  ///
  /// - Precondition: The map is managed.
  /// - Returns: The results, in the order of the keys.
  public func distinct() -> Results<Value> {
    queriedValues.distinct()
  }
}
