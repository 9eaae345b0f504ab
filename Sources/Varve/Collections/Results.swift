package import VarveCore
import VarveEncoding

/// The objects of a class, or of a list or links, that satisfy a condition, in an order.
///
/// Results are evaluated when they are read, and once for each version. Live results follow the realm
/// that they came from.
///
/// An index out of bounds traps on frozen results; on live ones, which another task may have moved, it
/// gives an invalidated object.
///
/// Thread safety: any thread or task may use results. Walking them pins one version for the walk; the
/// objects that the walk gives are live ones.
public struct Results<Element: Object>: Sendable {
  package let cell: ResultsCell

  package init(_ cell: ResultsCell) { self.cell = cell }

  /// The realm.
  public var realm: Realm? { Realm(context: cell.context) }

  /// Whether the results are pinned to one version.
  public var isFrozen: Bool { cell.context.isFrozen }

  /// Whether the list, or the object linked to, that the results come from was deleted. False for
  /// results of all objects of a class.
  public var isInvalidated: Bool { !cell.sourceExists }

  /// The number of objects.
  ///
  /// - Complexity: O(1) for all objects of a class; else that of the query, once for each version.
  public var count: Int { cell.count }

  /// Whether there is no object.
  public var isEmpty: Bool { cell.query.isWholeTable ? count == 0 : cell.firstID == nil }

  /// The first object; nil when there is none.
  ///
  /// - Complexity: O(log n) for all objects of a class, inside a write too.
  public var first: Element? { cell.firstID.flatMap(object) }

  /// The last object; nil when there is none.
  ///
  /// - Complexity: O(log n) for all objects of a class, inside a write too; else as ``count``.
  public var last: Element? { cell.lastID.flatMap(object) }

  /// The object at a place.
  ///
  /// - Precondition: for frozen results, the index is in bounds.
  public subscript(index: Int) -> Element {
    guard let object = cell.objectID(at: index).flatMap(object) else {
      precondition(!isFrozen, "Index \(index) is out of bounds.")
      cell.context.store.logOutOfBoundsRead(className: cell.query.model.name)
      return Element._$missing(_ReadSource(cell.context))
    }
    return object
  }

  private func object(_ id: UInt64) -> Element? {
    Element._$unboxed(_Boxed(.link(classID: 0, objectID: id)), _ReadSource(cell.context))
  }

  /// The place of an object, at whatever version its handle is; nil when it is not among the results.
  /// An object of another store, and an unmanaged one, are not.
  ///
  /// - Complexity: O(n).
  public func index(of object: Element) -> Int? {
    guard object.cell.isTied, object.cell.context?.store === cell.context.store,
      object.cell.binding.schema?.id == cell.binding.schema?.id, !object.cell.isRolledBack
    else { return nil }
    return cell.objectIDs.firstIndex(of: object.cell.id)
  }

  /// Whether an object is among the results; see ``index(of:)``.
  ///
  /// - Complexity: O(n).
  public func contains(_ object: Element) -> Bool { index(of: object) != nil }

  /// The place of an object; see ``index(of:)``.
  ///
  /// - Complexity: O(n).
  public func firstIndex(of object: Element) -> Int? { index(of: object) }

  /// The same results pinned to the version that they read now.
  public func freeze() -> Results {
    if isFrozen { return self }
    let context = cell.context.frozenContext()
    return Results(ResultsCell(context: context, query: cell.query.moved(to: context)))
  }

  /// The live results.
  ///
  /// - Returns: nil when a view cannot be made.
  public func thaw() -> Results? {
    guard isFrozen else { return self }
    guard let context = try? cell.context.thawedContext() else { return nil }
    return Results(ResultsCell(context: context, query: cell.query.moved(to: context)))
  }
}

extension Results: _LiveCollection {
  /// Whether another task may change what is read.
  public var _$mayChange: Bool { !isFrozen }

  /// The place of the first object: 0.
  public var startIndex: Int { 0 }
  /// The count.
  public var endIndex: Int { count }

  /// Walks the results in the version that is read now.
  public func makeIterator() -> ResultsIterator<Element> { ResultsIterator(cell) }
}

extension Results: CustomStringConvertible {
  /// The first 100 objects; `[]` for none.
  public var description: String {
    // One walk, in one version, as lists have it.
    CollectionText.text(
      "Results<\(Element.self)>", IteratorSequence(makeIterator()), count: count, empty: "[]"
    ) { $0.description }
  }
}
