public import Dispatch
import VarveCore

/// A property of each object of a collection: what `\Person.dogs.projectTo.name` leads to.
///
/// It is live or frozen as the collection is, and has its order. An index out of bounds reads as in the collection.
///
/// Thread safety: as the collection.
public struct ProjectedCollection<Element: RealmCollectionValue>: _LiveCollection, ThreadConfined,
  CustomStringConvertible
{
  private let base: any ProjectedElements<Element>

  init(_ base: some ProjectedElements<Element>) { self.base = base }

  /// The realm; nil for an unmanaged collection.
  public var realm: Realm? { base.confined.realm }
  /// Whether the object that the collection belongs to was deleted.
  public var isInvalidated: Bool { base.confined.isInvalidated }
  /// Whether the collection is pinned to one version.
  public var isFrozen: Bool { base.confined.isFrozen }
  /// Whether another task may change what is read.
  public var _$mayChange: Bool { base.mayChange }
  /// The number of objects.
  public var count: Int { base.count }
  /// The property of the object at a place. Setting it sets that of the object, inside a write.
  ///
  /// - Precondition: to set it, the key path can be written: it passes through no optional.
  public subscript(index: Int) -> Element {
    get { base[index] }
    nonmutating set { base[index] = newValue }
  }
  /// Walks the objects in the version that is read now.
  public func makeIterator() -> AnyIterator<Element> { base.iterator() }
  /// The property of the first object; nil when there is none.
  public var first: Element? { base.first }
  /// The property of the last object; nil when there is none.
  public var last: Element? { base.last }

  /// The same of the frozen collection.
  ///
  /// - Parameters:
  ///   - file: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - line: The caller's line.
  /// - Returns: the frozen collection.
  /// - Precondition: the collection is managed.
  public func freeze(
    file: StaticString = #fileID, line: UInt = #line
  ) -> ProjectedCollection {
    ProjectedCollection(base.frozen(file, line))
  }

  /// The same of the live collection; nil when its object does not exist any more.
  public func thaw() -> ProjectedCollection? { base.thawed().map { ProjectedCollection($0) } }

  /// The same in another realm of the same store; nil when it does not exist there.
  public func _$resolved(in realm: Realm) -> ProjectedCollection? {
    base.resolved(in: realm).map { ProjectedCollection($0) }
  }

  /// The first 100 elements.
  public var description: String {
    CollectionText.text(
      "ProjectedCollection<\(Element.self)>", IteratorSequence(makeIterator()), count: count,
      empty: "[]"
    ) { $0._$boxed.text }
  }

  /// Has a block called with the state, and then with each change of the collection and of the property of its
  /// objects; see ``RealmCollection/observe(keyPaths:on:_:)-([String]?,DispatchQueue?,_)``.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties of the objects that count, by names; nil: the one that is shown.
  ///   - queue: where the block is called; nil: a serial queue of the store. Calls come one at a time.
  ///   - block: what to call.
  /// - Returns: a token that must be kept: when it is dropped the observer ends.
  /// - Throws: `Realm.Error`: also `.unknownProperty` for a key path that is no persisted property.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping @Sendable (RealmCollectionChange<ProjectedCollection>) -> Void
  ) throws -> NotificationToken {
    try base.observation(keyPaths).live().observe(at: .queue(queue), block)
  }

  /// The state, and then each change; see ``ChangeSequence``. Empty for a collection that is frozen or unmanaged, or
  /// whose object is deleted.
  public var changes: ChangeSequence<Change<ProjectedCollection, CollectionChanges>> {
    (try? base.observation(nil).live())?.changes ?? .empty
  }
}

extension ProjectedCollection: ProjectedPath {
  func innerNames() throws(Failure) -> [String] { try base.names() }
}

/// Leads from a collection of objects to a property of each: `\Person.dogs.projectTo.name`.
///
/// Thread safety: as the collection.
@dynamicMemberLookup
public struct CollectionElementMapper<Element: ObjectBase>: Sendable {
  let collection: AnyRealmCollection<Element>

  /// A property of each object.
  public subscript<Value: RealmCollectionValue>(
    dynamicMember keyPath: KeyPath<Element, Value>
  ) -> ProjectedCollection<Value> {
    ProjectedCollection(MappedElements(collection: collection, keyPath: keyPath))
  }
}

extension RealmCollection where Element: ObjectBase {
  /// A property of each object, by its name: `projectTo.name`. For the key paths of ``Projected``.
  public var projectTo: CollectionElementMapper<Element> {
    CollectionElementMapper(collection: AnyRealmCollection(self))
  }
}
