import VarveCore

/// A property of each object of a collection, independent of the class of the objects.
protocol ProjectedElements<Element>: Sendable {
  associatedtype Element: RealmCollectionValue

  var confined: any ThreadConfined { get }
  var mayChange: Bool { get }
  var count: Int { get }
  var first: Element? { get }
  var last: Element? { get }
  subscript(index: Int) -> Element { get nonmutating set }
  func iterator() -> AnyIterator<Element>
  func frozen(_ file: StaticString, _ line: UInt) -> Self
  func thawed() -> Self?
  func resolved(in realm: Realm) -> Self?
  /// The declared names of the property, including the to-one links that lead to it.
  func names() throws(Failure) -> [String]
  /// Creates the observation. It watches the given properties of the objects or, when nil, the
  /// projected one.
  func observation(_ keyPaths: [String]?) throws -> _CollectionObservation<
    ProjectedCollection<Element>
  >
}

/// A property of each object of a collection.
///
/// Thread safety: that of the collection.
struct MappedElements<Object: ObjectBase, Element: RealmCollectionValue>: ProjectedElements,
  @unchecked Sendable
{
  // Safe because a key path is immutable, and one declared by a class captures no mutable state.

  let collection: AnyRealmCollection<Object>
  let keyPath: KeyPath<Object, Element>

  var confined: any ThreadConfined { collection }
  var mayChange: Bool { collection._$mayChange }
  var count: Int { collection.count }
  var first: Element? { collection.first?[keyPath: keyPath] }
  var last: Element? { collection.last?[keyPath: keyPath] }
  subscript(index: Int) -> Element {
    get { collection[index][keyPath: keyPath] }
    nonmutating set {
      guard let writable = keyPath as? ReferenceWritableKeyPath<Object, Element> else {
        Misuse.trap(
          "An element of a projected collection cannot be set: its key path passes through an "
            + "optional, or ends in a property that cannot be set.")
      }
      collection[index][keyPath: writable] = newValue
    }
  }

  func iterator() -> AnyIterator<Element> {
    let objects = collection.makeIterator()
    let keyPath = keyPath
    return AnyIterator { objects.next().map { $0[keyPath: keyPath] } }
  }

  func frozen(_ file: StaticString, _ line: UInt) -> MappedElements {
    MappedElements(collection: collection.freeze(file: file, line: line), keyPath: keyPath)
  }

  func thawed() -> MappedElements? {
    collection.thaw().map { MappedElements(collection: $0, keyPath: keyPath) }
  }

  func resolved(in realm: Realm) -> MappedElements? {
    collection._$resolved(in: realm).map { MappedElements(collection: $0, keyPath: keyPath) }
  }

  func names() throws(Failure) -> [String] { try ClassInfo.names(of: keyPath) }

  func observation(
    _ keyPaths: [String]?
  ) throws -> _CollectionObservation<ProjectedCollection<Element>> {
    let path = try Realm.Error.translating { () throws(Failure) in
      try names().joined(separator: ".")
    }
    let mapped = self
    return try collection._$observation(keyPaths ?? [path]).map {
      ProjectedCollection(MappedElements(collection: $0, keyPath: mapped.keyPath))
    }
  }
}
