package import VarveCore
import VarveEncoding

/// The sorted or unsorted objects of a class, or elements of a collection, that satisfy a
/// condition.
///
/// Results are evaluated when they are read, once for each version. Live results follow the realm
/// that they were read from.
///
/// An index out of bounds traps on frozen results. On live results, which another task may have
/// moved to another version, it returns an invalidated object or the zero value. Inside a write it
/// marks the transaction as failed with `.indexOutOfBounds`.
///
/// Queries, sorting, limits, sections and observers are members of ``RealmCollection``.
///
/// Thread safety: any thread or task may use results. Iteration pins one version until it ends. The
/// objects of the iteration are live.
public struct Results<Element: RealmCollectionValue>: Sendable {
  /// The query of the results.
  package let handle: ResultsHandle

  package init(_ handle: ResultsHandle) { self.handle = handle }

  init(_ query: ElementQuery, in context: ReadContext) {
    handle = ResultsHandle(context: context, query: query)
  }

  /// Creates results of all elements of a list, set or dictionary, in its order; empty without a
  /// collection.
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

  /// The realm of the results.
  public var realm: Realm? { Realm.of(context) }

  /// Whether the results are frozen: pinned to one version.
  public var isFrozen: Bool { context.isFrozen }

  /// Whether the owner of the collection that the results come from, or the object that they link
  /// to, was deleted. False for results of all objects of a class.
  public var isInvalidated: Bool { !handle.sourceExists }

  /// The number of elements.
  ///
  /// - Complexity: O(1) for all objects of a class; otherwise the cost of the query, once for each
  ///   version.
  public var count: Int { handle.count }

  /// Whether there are no elements.
  public var isEmpty: Bool { handle.isEmpty }

  /// The first element; nil when there is none.
  ///
  /// - Complexity: O(log n) for all objects of a class, and for the first object in the order of an
  ///   index; otherwise the cost of the query.
  public var first: Element? {
    handle.query.isOfValues ? handle.value(at: 0).map(element) : handle.firstID.flatMap(object)
  }

  /// The last element; nil when there is none.
  ///
  /// - Complexity: O(log n) for all objects of a class; otherwise that of ``count``.
  public var last: Element? {
    handle.query.isOfValues ? handle.values.last.map(element) : handle.lastID.flatMap(object)
  }

  /// Accesses the element at an index.
  ///
  /// - Precondition: For frozen results, the index is in bounds.
  public subscript(index: Int) -> Element {
    let element: Element? =
      handle.query.isOfValues
      ? handle.value(at: index).map(element) : handle.objectID(at: index).flatMap(object)
    return element ?? missing(at: index, of: count)
  }

  /// Returns the object with an id; nil while the file does not contain the class.
  func object(_ id: UInt64) -> Element? {
    var model = handle.query.model
    // A class that the program does not declare has the description that the file stores now.
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

  /// Returns a stored value as an element.
  func element(_ value: Value) -> Element {
    let source = valueSource
    return Element._$unboxed(_Boxed(value), source) ?? Element._$missing(source)
  }

  /// The source that values are read from.
  var valueSource: _ReadSource {
    guard let collection = handle.query.collection,
      collection.model.properties[collection.slot].kind.type == .mixed
    else { return _ReadSource(context) }
    let binding = context.lasting(context.binding(for: collection.model))
    return _ReadSource(
      context,
      property: .init(binding: binding, ownerID: collection.ownerID, slot: collection.slot))
  }

  /// The name of the class or of the element type, for messages.
  var name: String {
    switch handle.query.element {
    case .object(let model): model.name
    case .value: handle.query.collection?.model.name ?? "\(Element.self)"
    }
  }

  /// Returns the index of an element; nil when it is not among the results. An object is found
  /// regardless of the version that it is read in. Objects of another store and unmanaged objects
  /// are not among the results. See ``RealmCollection/index(of:)``.
  ///
  /// - Complexity: O(n).
  public func index(of element: Element) -> Int? {
    if handle.query.isOfValues { return firstPosition(of: element) }
    guard let object = element._$boxed.object, object.handle.isManaged,
      object.handle.context?.store === handle.context.store,
      object.handle.binding.schema?.id == handle.binding.schema?.id, !object.handle.isRolledBack
    else { return nil }
    return handle.objectIDs.firstIndex(of: object.handle.id)
  }

  /// Returns the results, frozen at the version that they read now.
  ///
  /// - Parameters:
  ///   - file: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - line: The caller's line.
  public func freeze(
    file: StaticString = #fileID, line: UInt = #line
  ) -> Results {
    isFrozen ? self : moved(to: context.frozenContext(at: CallSite(file, line)))
  }

  /// Returns the live results; nil when no live realm can be opened, or when the object that the
  /// results belong to no longer exists.
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
  /// Whether another task may change the results.
  public var _$mayChange: Bool { !isFrozen || context.isDamaged }

  /// Returns an iterator over the results of the version that is read now.
  public func makeIterator() -> ResultsIterator<Element> { ResultsIterator(self) }

  /// The results themselves.
  public var _$results: Results? { self }

  /// Returns the observation of the results.
  public func _$observation(_ keyPaths: [String]?) throws -> _CollectionObservation<Results> {
    try Realm.Error.translating { try observation(try Results.watchedPaths(keyPaths)) }
  }
}

extension Results: CustomStringConvertible {
  /// The first 100 elements; `[]` for empty results.
  public var description: String {
    // A single iteration of one version, as for lists.
    CollectionText.text(
      "Results<\(Element.self)>", IteratorSequence(makeIterator()), count: count, empty: "[]"
    ) { $0._$boxed.text }
  }
}

extension Results: Equatable {
  /// Returns whether two values are copies of the same results. The results of two separate queries
  /// are not equal, even if they contain the same elements.
  ///
  /// - Complexity: O(1).
  public static func == (left: Results, right: Results) -> Bool {
    left.handle === right.handle
  }
}
