import VarveCore

/// A collection of some elements, whichever it is: a ``List``, ``Results``, ``LinkingObjects``.
///
/// Thread safety: as the collection.
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  private let base: any RealmCollection<Element>

  /// Wraps a collection; one that is wrapped already is taken as it is.
  public init(_ collection: some RealmCollection<Element>) {
    base = (collection as? AnyRealmCollection)?.base ?? collection
  }

  /// The realm; nil for an unmanaged collection.
  public var realm: Realm? { base.realm }
  /// Whether the object that the collection belongs to was deleted.
  public var isInvalidated: Bool { base.isInvalidated }
  /// Whether the collection is pinned to one version.
  public var isFrozen: Bool { base.isFrozen }
  /// The number of elements.
  public var count: Int { base.count }
  /// The first element; nil when there is none.
  public var first: Element? { base.first }
  /// The last element; nil when there is none.
  public var last: Element? { base.last }
  /// The place of the first element that is equal to another; see ``RealmCollection/index(of:)``.
  public func index(of element: Element) -> Int? { base.index(of: element) }
  /// The collection pinned to the version that it reads now.
  ///
  /// - Parameters:
  ///   - file: where pins are told of, they are named by it; leave it out.
  ///   - line: the line in the file.
  /// - Returns: the frozen collection.
  public func freeze(
    file: StaticString = #fileID, line: UInt = #line
  ) -> AnyRealmCollection {
    AnyRealmCollection(base.freeze(file: file, line: line))
  }
  /// The live collection; nil when the object that it belongs to does not exist any more.
  public func thaw() -> AnyRealmCollection? { base.thaw().map { AnyRealmCollection($0) } }

  /// The same collection in another realm of the same store; nil when its object does not exist there.
  public func _$resolved(in realm: Realm) -> AnyRealmCollection? {
    base._$resolved(in: realm).map { AnyRealmCollection($0) }
  }

  /// What the collection shows of itself.
  public var description: String { base.description }
  /// Whether another task may change what is read.
  public var _$mayChange: Bool { base._$mayChange }

  /// The element at a place; see ``RealmCollection``.
  public subscript(index: Int) -> Element { base[index] }

  /// Walks the elements in the version that is read now.
  public func makeIterator() -> AnyIterator<Element> {
    func iterator(_ base: some RealmCollection<Element>) -> AnyIterator<Element> {
      AnyIterator(base.makeIterator())
    }
    return iterator(base)
  }

  /// The elements as results; nil for an unmanaged collection.
  public var _$results: Results<Element>? { base._$results }

  /// How the collection is observed.
  public func _$observation(
    _ keyPaths: [String]?
  ) throws -> _CollectionObservation<AnyRealmCollection> {
    func observation(
      _ base: some RealmCollection<Element>
    ) throws -> _CollectionObservation<AnyRealmCollection> {
      try base._$observation(keyPaths).map { AnyRealmCollection($0) }
    }
    return try observation(base)
  }
}

extension AnyRealmCollection: Equatable {
  /// Whether the collections are of one type and equal.
  public static func == (left: AnyRealmCollection, right: AnyRealmCollection) -> Bool {
    func isEqual<C: Equatable>(_ collection: C) -> Bool { right.base as? C == collection }
    return (left.base as? any Equatable).map { isEqual($0) } ?? false
  }
}
