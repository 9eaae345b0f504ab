package import VarveCore
import VarveEncoding

/// The objects of a class, or the elements of a collection, that satisfy a condition, in an order.
///
/// Results are evaluated when they are read, and once for each version. Live results follow the realm
/// that they came from.
///
/// An index out of bounds traps on frozen results; on live ones, which another task may have moved, it
/// gives an invalidated object, or the zero value. Inside a write it dooms the write with `.indexOutOfBounds`.
///
/// Thread safety: any thread or task may use results. Walking them pins one version for the walk; the
/// objects that the walk gives are live ones.
public struct Results<Element: RealmCollectionValue>: Sendable {
  package enum Content: Sendable {
    case objects(ResultsCell)
    case values(ValueResultsCell)
  }
  package let content: Content

  package init(_ cell: ResultsCell) { content = .objects(cell) }

  package init(_ cell: ValueResultsCell) { content = .values(cell) }

  /// The elements of a list, set or dictionary, all of them and in its order.
  init(elementsOf source: ValueQuery.Source, in context: ReadContext) {
    guard let type = Element.self as? ObjectBase.Type else {
      self.init(ValueResultsCell(context: context, query: ValueQuery(source)))
      return
    }
    let model = ValueQuery(source).cell?.elementModel(type) ?? ClassInfo.of(type).description
    let query =
      switch source {
      // No collection has these.
      case .nothing, .query: ObjectQuery(model: model, condition: .never)
      case .list(let cell): ObjectQuery(model: model, source: .list(cell))
      case .dictionary(let cell): ObjectQuery(model: model, source: .dictionary(cell))
      case .set(let cell): ObjectQuery(model: model, source: .set(cell))
      }
    self.init(ResultsCell(context: context, query: query))
  }

  var context: ReadContext {
    switch content {
    case .objects(let cell): cell.context
    case .values(let cell): cell.context
    }
  }

  /// The realm.
  public var realm: Realm? { Realm.of(context) }

  /// Whether the results are pinned to one version.
  public var isFrozen: Bool { context.isFrozen }

  /// Whether the list, or the object linked to, that the results come from was deleted. False for
  /// results of all objects of a class.
  public var isInvalidated: Bool {
    switch content {
    case .objects(let cell): !cell.sourceExists
    case .values(let cell): !cell.sourceExists
    }
  }

  /// The number of elements.
  ///
  /// - Complexity: O(1) for all objects of a class; else that of the query, once for each version.
  public var count: Int {
    switch content {
    case .objects(let cell): cell.count
    case .values(let cell): cell.count
    }
  }

  /// Whether there is no element.
  public var isEmpty: Bool {
    switch content {
    case .objects(let cell): cell.query.isWholeTable ? cell.count == 0 : cell.firstID == nil
    case .values(let cell): cell.count == 0
    }
  }

  /// The first element; nil when there is none.
  ///
  /// - Complexity: O(log n) for all objects of a class, and for the first in the order of an index; else that of the query.
  public var first: Element? {
    switch content {
    case .objects(let cell): cell.firstID.flatMap { object($0, cell) }
    case .values(let cell): cell.value(at: 0).map { value($0, cell) }
    }
  }

  /// The last element; nil when there is none.
  ///
  /// - Complexity: O(log n) for all objects of a class; else as ``count``.
  public var last: Element? {
    switch content {
    case .objects(let cell): cell.lastID.flatMap { object($0, cell) }
    case .values(let cell): cell.values.last.map { value($0, cell) }
    }
  }

  /// The element at a place.
  ///
  /// - Precondition: for frozen results, the index is in bounds.
  public subscript(index: Int) -> Element {
    let element: Element? =
      switch content {
      case .objects(let cell): cell.objectID(at: index).flatMap { object($0, cell) }
      case .values(let cell): cell.value(at: index).map { value($0, cell) }
      }
    return element ?? missing(at: index, of: count)
  }

  func object(_ id: UInt64, _ cell: ResultsCell) -> Element? {
    // Only of a class that the program does not declare the link must tell which it is.
    let model = cell.query.model
    let classID =
      model.isDynamic ? cell.context.fileSchema.schema(named: model.name)?.id ?? 0 : 0
    return Element._$unboxed(
      _Boxed(.link(classID: classID, objectID: id)), _ReadSource(cell.context))
  }

  func value(_ value: Value, _ cell: ValueResultsCell) -> Element {
    let source = cell.query.cell?.readSource ?? _ReadSource(cell.context)
    return Element._$unboxed(_Boxed(value), source) ?? Element._$missing(source)
  }

  /// What the results are of, for messages.
  var name: String {
    switch content {
    case .objects(let cell): cell.query.model.name
    case .values(let cell): cell.query.cell?.className ?? "\(Element.self)"
    }
  }

  /// The place of an element, see ``RealmCollection/index(of:)``; of an object at whatever version its handle is. An
  /// object of another store, and an unmanaged one, are not among the results.
  ///
  /// - Complexity: O(n).
  public func index(of element: Element) -> Int? {
    switch content {
    case .objects(let cell):
      guard let object = element._$boxed.object, object.cell.isTied,
        object.cell.context?.store === cell.context.store,
        object.cell.binding.schema?.id == cell.binding.schema?.id, !object.cell.isRolledBack
      else { return nil }
      return cell.objectIDs.firstIndex(of: object.cell.id)
    case .values: return firstPlace(of: element)
    }
  }

  /// The same results pinned to the version that they read now.
  ///
  /// - Parameters:
  ///   - file: where pins are told of, they are named by it; leave it out.
  ///   - line: the line in the file.
  /// - Returns: the frozen value.
  public func freeze(
    file: StaticString = #fileID, line: UInt = #line
  ) -> Results {
    isFrozen ? self : moved(to: context.frozenContext(at: SourcePlace(file, line)))
  }

  /// The live results.
  ///
  /// - Returns: nil when a view cannot be made, or the object is gone that the results belong to.
  public func thaw() -> Results? {
    guard isFrozen else { return self }
    guard let context = try? context.thawedContext() else { return nil }
    let live = moved(to: context)
    return live.isInvalidated ? nil : live
  }

  func moved(to context: ReadContext) -> Results {
    switch content {
    case .objects(let cell):
      Results(ResultsCell(context: context, query: cell.query.moved(to: context)))
    case .values(let cell):
      Results(ValueResultsCell(context: context, query: cell.query.moved(to: context)))
    }
  }
}

extension Results where Element: ObjectBase {
  /// The query of objects behind the results.
  package var cell: ResultsCell {
    guard case .objects(let cell) = content else {
      preconditionFailure("Results of objects come from a query of objects.")
    }
    return cell
  }
}

extension Results: RealmCollection {
  /// Whether another task may change what is read.
  public var _$mayChange: Bool { !isFrozen || context.isDamaged }

  /// The place of the first element: 0.
  public var startIndex: Int { 0 }
  /// The count.
  public var endIndex: Int { count }

  /// Walks the results in the version that is read now.
  public func makeIterator() -> ResultsIterator<Element> { ResultsIterator(self) }

  /// The results themselves.
  public var _$results: Results? { self }

  /// How the results are observed.
  public func _$observation(_ keyPaths: [String]?) throws -> _CollectionObservation<Results> {
    try Realm.Error.translating {
      switch content {
      case .objects(let cell): try cell.observation(try Results.watchedPaths(keyPaths))
      case .values(let cell): try cell.observation(keyPaths)
      }
    }
  }
}

extension Results: CustomStringConvertible {
  /// The first 100 elements; `[]` for none.
  public var description: String {
    // One walk, in one version, as lists have it.
    CollectionText.text(
      "Results<\(Element.self)>", IteratorSequence(makeIterator()), count: count, empty: "[]"
    ) { $0._$boxed.text }
  }
}

extension Results: Equatable {
  /// Whether two values are copies of one: results that were asked for twice are not equal, whatever they hold.
  ///
  /// - Complexity: O(1).
  public static func == (left: Results, right: Results) -> Bool {
    switch (left.content, right.content) {
    case (.objects(let left), .objects(let right)): left === right
    case (.values(let left), .values(let right)): left === right
    default: false
    }
  }
}
