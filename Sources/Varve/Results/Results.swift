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
  /// The query behind the results.
  package let handle: ResultsHandle

  package init(_ handle: ResultsHandle) { self.handle = handle }

  init(_ query: ElementQuery, in context: ReadContext) {
    handle = ResultsHandle(context: context, query: query)
  }

  /// The elements of a list, set or dictionary, all of them and in its order; nothing without one.
  init(elementsOf collection: CollectionHandle?, in context: ReadContext) {
    let source = collection.map { ElementQuery.Source.collection(CollectionIdentity($0)) } ?? .all
    guard let type = Element.self as? ObjectBase.Type else {
      self.init(ElementQuery(.value, source: source), in: context)
      return
    }
    let model = collection?.elementModel(type) ?? ClassInfo.of(type).description
    self.init(
      ElementQuery(
        .object(model), source: source, condition: collection == nil ? .never : .always),
      in: context)
  }

  var context: ReadContext { handle.context }

  /// The realm.
  public var realm: Realm? { Realm.of(context) }

  /// Whether the results are pinned to one version.
  public var isFrozen: Bool { context.isFrozen }

  /// Whether the list, or the object linked to, that the results come from was deleted. False for
  /// results of all objects of a class.
  public var isInvalidated: Bool { !handle.sourceExists }

  /// The number of elements.
  ///
  /// - Complexity: O(1) for all objects of a class; else that of the query, once for each version.
  public var count: Int { handle.count }

  /// Whether there is no element.
  public var isEmpty: Bool { handle.isEmpty }

  /// The first element; nil when there is none.
  ///
  /// - Complexity: O(log n) for all objects of a class, and for the first in the order of an index; else that of the query.
  public var first: Element? {
    handle.query.isOfValues ? handle.value(at: 0).map(element) : handle.firstID.flatMap(object)
  }

  /// The last element; nil when there is none.
  ///
  /// - Complexity: O(log n) for all objects of a class; else as ``count``.
  public var last: Element? {
    handle.query.isOfValues ? handle.values.last.map(element) : handle.lastID.flatMap(object)
  }

  /// The element at a place.
  ///
  /// - Precondition: for frozen results, the index is in bounds.
  public subscript(index: Int) -> Element {
    let element: Element? =
      handle.query.isOfValues
      ? handle.value(at: index).map(element) : handle.objectID(at: index).flatMap(object)
    return element ?? missing(at: index, of: count)
  }

  /// The object with an id; nil while the file does not know the class.
  func object(_ id: UInt64) -> Element? {
    var model = handle.query.model
    // A class that the program does not declare is what the file stores now.
    if model.isDynamic {
      guard let stored = context.dynamicModel(named: model.name) else { return nil }
      model = stored
    }
    defer { withExtendedLifetime(model) {} }
    guard let found = context.linkedObject(.passUnretained(model), id: id),
      let object = Element._$elementType.target?.init()
    else { return nil }
    found.attach(object.handle)
    return Element._$walked(object)
  }

  /// A value as an element.
  func element(_ value: Value) -> Element {
    let source = valueSource
    return Element._$unboxed(_Boxed(value), source) ?? Element._$missing(source)
  }

  /// What values are read from.
  var valueSource: _ReadSource {
    guard let collection = handle.query.collection,
      collection.model.properties[collection.slot].kind.type == .mixed
    else { return _ReadSource(context) }
    let binding = context.lasting(context.binding(for: collection.model))
    return _ReadSource(
      context,
      place: .init(binding: binding, ownerID: collection.ownerID, slot: collection.slot))
  }

  /// What the results are of, for messages.
  var name: String {
    switch handle.query.element {
    case .object(let model): model.name
    case .value: handle.query.collection?.model.name ?? "\(Element.self)"
    }
  }

  /// The place of an element, see ``RealmCollection/index(of:)``; of an object at whatever version its handle is. An
  /// object of another store, and an unmanaged one, are not among the results.
  ///
  /// - Complexity: O(n).
  public func index(of element: Element) -> Int? {
    if handle.query.isOfValues { return firstPlace(of: element) }
    guard let object = element._$boxed.object, object.handle.isManaged,
      object.handle.context?.store === handle.context.store,
      object.handle.binding.schema?.id == handle.binding.schema?.id, !object.handle.isRolledBack
    else { return nil }
    return handle.objectIDs.firstIndex(of: object.handle.id)
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
    isFrozen ? self : moved(to: context.frozenContext(at: CallSite(file, line)))
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
    Results(handle.query, in: context)
  }
}

extension Results: RealmCollection {
  /// Whether another task may change what is read.
  public var _$mayChange: Bool { !isFrozen || context.isDamaged }

  /// Walks the results in the version that is read now.
  public func makeIterator() -> ResultsIterator<Element> { ResultsIterator(self) }

  /// The results themselves.
  public var _$results: Results? { self }

  /// How the results are observed.
  public func _$observation(_ keyPaths: [String]?) throws -> _CollectionObservation<Results> {
    try Realm.Error.translating { try observation(try Results.watchedPaths(keyPaths)) }
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
    left.handle === right.handle
  }
}
