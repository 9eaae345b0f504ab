import VarveCore

/// A type-erased collection: a ``List``, ``MutableSet``, ``Results`` or ``LinkingObjects``.
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  let base: any RealmCollection<Element>

  /// Wraps a collection. A collection that is already type-erased is not wrapped again.
  public init(_ collection: some RealmCollection<Element>) {
    base = (collection as? AnyRealmCollection)?.base ?? collection
  }

  /// The realm; nil for an unmanaged collection.
  public var realm: Realm? { base.realm }
  /// Whether the object that owns the collection was deleted.
  public var isInvalidated: Bool { base.isInvalidated }
  /// Whether the collection is frozen: pinned to one version.
  public var isFrozen: Bool { base.isFrozen }
  /// The number of elements.
  public var count: Int { base.count }
  /// The first element; nil when the collection is empty.
  public var first: Element? { base.first }
  /// The last element; nil when the collection is empty.
  public var last: Element? { base.last }
  /// Returns the index of the first element that is equal to the given one; nil when there is
  /// none. See ``RealmCollection/index(of:)``.
  public func index(of element: Element) -> Int? { base.index(of: element) }
  /// Returns the collection, frozen at the version that it reads now.
  ///
  /// - Parameters:
  ///   - file: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - line: The caller's line.
  public func freeze(
    file: StaticString = #fileID, line: UInt = #line
  ) -> AnyRealmCollection {
    AnyRealmCollection(base.freeze(file: file, line: line))
  }
  /// Returns the live collection; nil when the object that owns it no longer exists.
  public func thaw() -> AnyRealmCollection? { base.thaw().map { AnyRealmCollection($0) } }

  /// Returns the same collection in another realm of the same store; nil when its object does not
  /// exist there.
  public func _$resolved(in realm: Realm) -> AnyRealmCollection? {
    base._$resolved(in: realm).map { AnyRealmCollection($0) }
  }

  /// The description of the wrapped collection.
  public var description: String { base.description }
  /// Whether another task may change the collection.
  public var _$mayChange: Bool { base._$mayChange }

  /// Accesses the element at an index. See ``RealmCollection`` for indexes out of bounds.
  public subscript(index: Int) -> Element { base[index] }

  /// Returns an iterator over the elements of the version that is read now.
  public func makeIterator() -> AnyIterator<Element> {
    func iterator(_ base: some RealmCollection<Element>) -> AnyIterator<Element> {
      AnyIterator(base.makeIterator())
    }
    return iterator(base)
  }

  /// The elements as results; nil for an unmanaged collection.
  public var _$results: Results<Element>? { base._$results }

  /// Returns the observation of the collection.
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
  /// Returns whether the collections have the same type and are equal.
  public static func == (left: AnyRealmCollection, right: AnyRealmCollection) -> Bool {
    func isEqual<C: Equatable>(_ collection: C) -> Bool { right.base as? C == collection }
    return (left.base as? any Equatable).map { isEqual($0) } ?? false
  }
}
