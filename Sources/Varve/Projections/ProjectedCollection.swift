public import Dispatch
import VarveCore

/// A property of each object of a collection, such as the value of `\Person.dogs.projectTo.name`.
///
/// It is live or frozen like the collection, and has the same order. An index out of bounds behaves
/// as in the collection.
///
/// Thread safety: that of the collection.
public struct ProjectedCollection<Element: RealmCollectionValue>: _LiveCollection, ThreadConfined,
  CustomStringConvertible
{
  private let base: any ProjectedElements<Element>

  init(_ base: some ProjectedElements<Element>) { self.base = base }

  /// The realm; nil for an unmanaged collection.
  public var realm: Realm? { base.confined.realm }
  /// Whether the object that owns the collection was deleted.
  public var isInvalidated: Bool { base.confined.isInvalidated }
  /// Whether the collection is frozen: pinned to one version.
  public var isFrozen: Bool { base.confined.isFrozen }
  /// Whether another task may change the elements.
  public var _$mayChange: Bool { base.mayChange }
  /// The number of objects.
  public var count: Int { base.count }
  /// The property of the object at an index. Setting it sets the property of the object, inside a
  /// write.
  ///
  /// - Precondition: The key path is writable when the property is set: it passes through no
  ///   optional.
  public subscript(index: Int) -> Element {
    get { base[index] }
    nonmutating set { base[index] = newValue }
  }
  /// Returns an iterator over the property of the objects in the current version.
  public func makeIterator() -> AnyIterator<Element> { base.iterator() }
  /// The property of the first object; nil when there is none.
  public var first: Element? { base.first }
  /// The property of the last object; nil when there is none.
  public var last: Element? { base.last }

  /// Returns the projected property of the frozen collection.
  ///
  /// - Parameters:
  ///   - file: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - line: The caller's line.
  /// - Precondition: The collection is managed.
  public func freeze(
    file: StaticString = #fileID, line: UInt = #line
  ) -> ProjectedCollection {
    ProjectedCollection(base.frozen(file, line))
  }

  /// Returns the projected property of the live collection, or nil when the object that owns the
  /// collection no longer exists.
  public func thaw() -> ProjectedCollection? { base.thawed().map { ProjectedCollection($0) } }

  /// Returns the projected property of the collection in another realm of the same store, or nil
  /// when the collection does not exist there.
  public func _$resolved(in realm: Realm) -> ProjectedCollection? {
    base.resolved(in: realm).map { ProjectedCollection($0) }
  }

  /// The first 100 elements, each on a line; `[]` for an empty collection.
  public var description: String {
    CollectionText.text(
      "ProjectedCollection<\(Element.self)>", IteratorSequence(makeIterator()), count: count,
      empty: "[]"
    ) { $0._$boxed.text }
  }

  /// Calls a block with the initial state, and then with each change of the collection and of the
  /// projected property of its objects. See
  /// ``RealmCollection/observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  ///
  /// - Parameters:
  ///   - keyPaths: The names of the watched properties of the objects. Nil watches the projected
  ///     property.
  ///   - queue: The queue on which the block is called. Nil means a serial queue of the store.
  ///     Calls never overlap.
  ///   - block: The block to call.
  /// - Returns: A token that you must keep. The observer ends when the token is deallocated.
  /// - Throws: `Realm.Error`, such as `.unknownProperty` for a key path that is not a persisted
  ///   property.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (RealmCollectionChange<ProjectedCollection>) -> Void
  ) throws -> NotificationToken {
    try base.observation(keyPaths).live().observe(at: .queue(queue), block)
  }

  /// The initial state, followed by each change. The sequence is empty for a frozen or unmanaged
  /// collection, and for a collection whose owning object was deleted. See ``ChangeSequence``.
  public var changes: ChangeSequence<Change<ProjectedCollection, CollectionChanges>> {
    (try? base.observation(nil).live())?.changes ?? .empty
  }
}

extension ProjectedCollection: ProjectedPath {
  func innerNames() throws(Failure) -> [String] { try base.names() }
}

/// Maps a collection of objects to a property of each object: `\Person.dogs.projectTo.name`.
///
/// Thread safety: that of the collection.
@dynamicMemberLookup
public struct CollectionElementMapper<Element: ObjectBase>: Sendable {
  let collection: AnyRealmCollection<Element>

  /// The property of each object.
  public subscript<Value: RealmCollectionValue>(
    dynamicMember keyPath: KeyPath<Element, Value>
  ) -> ProjectedCollection<Value> {
    ProjectedCollection(MappedElements(collection: collection, keyPath: keyPath))
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Access to a property of each object by name: `projectTo.name`. Use it in the key paths of
  /// ``Projected``.
  public var projectTo: CollectionElementMapper<Element> {
    CollectionElementMapper(collection: AnyRealmCollection(self))
  }
}
