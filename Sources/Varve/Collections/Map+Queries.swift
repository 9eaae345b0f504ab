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
    return Results(elementsOf: .dictionary(cell), in: context)
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

  /// The objects sorted by a property; see ``RealmCollection/sorted(by:ascending:)``.
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

  /// The least value of a property of the objects; see ``RealmCollection/min(of:)-(KeyPath<Self.Element,V>)``.
  public func min<V: RealmCollectionValue & MinMaxType>(
    of keyPath: KeyPath<Value._$Object, V>
  ) -> V? { objects.min(of: keyPath) }

  /// The greatest value of a property of the objects; see ``RealmCollection/max(of:)-(KeyPath<Self.Element,V>)``.
  public func max<V: RealmCollectionValue & MinMaxType>(
    of keyPath: KeyPath<Value._$Object, V>
  ) -> V? { objects.max(of: keyPath) }

  /// The sum of a property of the objects; see ``RealmCollection/sum(of:)-(KeyPath<Self.Element,V>)``.
  public func sum<V: RealmCollectionValue & AddableType>(of keyPath: KeyPath<Value._$Object, V>)
    -> V
  { objects.sum(of: keyPath) }

  /// The mean of a property of the objects; see `RealmCollection.average(of:)`.
  public func average<V: RealmCollectionValue & AddableType>(
    of keyPath: KeyPath<Value._$Object, V>
  ) -> Double? { objects.average(of: keyPath) }
}

/// Queries on the values of a map, in the order of their keys.
extension Map where Value: SortableType {
  /// The values that satisfy a condition; see ``RealmCollection/where(_:)``.
  ///
  /// - Parameter condition: the condition.
  /// - Precondition: the map is managed.
  /// - Returns: the narrowed results.
  public func `where`(_ condition: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    let results: Results<Value> = queried()
    return results.where(condition)
  }

  /// The values sorted; equal ones stay in the order of their keys, null comes first when ascending.
  ///
  /// - Parameter ascending: the direction.
  /// - Precondition: the map is managed.
  /// - Returns: the sorted results.
  public func sorted(ascending: Bool) -> Results<Value> {
    let results: Results<Value> = queried()
    return results.sorted(ascending: ascending)
  }

  /// The values without those that are equal to one before.
  ///
  /// - Precondition: the map is managed.
  /// - Returns: the results, in the order of the keys.
  public func distinct() -> Results<Value> {
    let results: Results<Value> = queried()
    return results.distinct()
  }
}
