import VarveCore
import VarveEncoding

/// Queries on lists of objects. The results keep the order of the list.
extension List where Element: Object {
  /// The objects of the list as results, which follow the list.
  ///
  /// - Precondition: the list is managed.
  var results: Results<Element> {
    guard let context else {
      return UnmanagedUse.emptyResults(
        "An unmanaged list cannot be queried: its results would have no realm. Add its object to a realm, "
          + "inside a write, and query the list then; or use filter { } and sorted { }, which work on the "
          + "elements in memory.")
    }
    return Results(
      ResultsCell(
        context: context,
        query: ObjectQuery(model: ClassInfo.of(Element.self).description, source: .list(cell))))
  }

  /// The objects that satisfy a condition; see ``Results/where(_:)``.
  ///
  /// - Parameter condition: the condition.
  /// - Precondition: the list is managed.
  /// - Returns: the narrowed results.
  public func `where`(_ condition: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    results.where(condition)
  }

  /// The objects sorted by a property; the list itself stays as it is. See
  /// ``Results/sorted(by:ascending:)``.
  ///
  /// - Precondition: the list is managed.
  public func sorted<V: SortableType>(
    by keyPath: KeyPath<Element, V>, ascending: Bool = true
  ) -> Results<Element> {
    results.sorted(by: keyPath, ascending: ascending)
  }

  /// The objects sorted by a property that is named in the program's text; see
  /// ``Results/sorted(byKeyPath:ascending:)-(StaticString,Bool)``.
  ///
  /// - Precondition: the list is managed.
  public func sorted(byKeyPath keyPath: StaticString, ascending: Bool = true) -> Results<Element> {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// The objects sorted by a property whose name is known only when the program runs; see
  /// ``Results/sorted(byKeyPath:ascending:)-(StringProtocol,_)``.
  ///
  /// - Parameters:
  ///   - keyPath: the name of the property, or names of to-one links and the property, separated by
  ///     dots.
  ///   - ascending: the direction.
  /// - Precondition: the list is managed.
  /// - Returns: the sorted results.
  /// - Throws: `Realm.Error` naming class and property, when objects cannot be sorted so.
  @_disfavoredOverload
  public func sorted(
    byKeyPath keyPath: some StringProtocol, ascending: Bool = true
  ) throws -> Results<Element> {
    try results.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// The objects sorted by several properties, the first having priority.
  ///
  /// - Precondition: the list is managed.
  public func sorted(by descriptors: [SortDescriptor]) -> Results<Element> {
    results.sorted(by: descriptors)
  }
}

/// Queries on the objects of a map: keys are left out, and so are keys with null.
extension Map {
  /// The objects of the map as results, in the order of their keys.
  private func results<O: Object>(of type: O.Type) -> Results<O> {
    guard let context else {
      return UnmanagedUse.emptyResults(
        "An unmanaged map cannot be queried: its results would have no realm. Add its object to a realm, "
          + "inside a write, and query the map then; or use filter { } on its values, which works in "
          + "memory.")
    }
    return Results(
      ResultsCell(
        context: context,
        query: ObjectQuery(model: ClassInfo.of(type).description, source: .dictionary(cell))))
  }

  /// The objects that satisfy a condition; see ``Results/where(_:)``.
  ///
  /// - Parameter condition: the condition.
  /// - Precondition: the map is managed.
  /// - Returns: the narrowed results.
  public func `where`<O: Object>(
    _ condition: (Query<O>) -> Query<Bool>
  ) -> Results<O> where Value == O? {
    results(of: O.self).where(condition)
  }

  /// The objects sorted by a property; see ``Results/sorted(by:ascending:)``.
  ///
  /// - Precondition: the map is managed.
  public func sorted<O: Object, V: SortableType>(
    by keyPath: KeyPath<O, V>, ascending: Bool = true
  ) -> Results<O> where Value == O? {
    results(of: O.self).sorted(by: keyPath, ascending: ascending)
  }
}
