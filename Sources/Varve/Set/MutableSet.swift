package import VarveCore
import VarveEncoding
import VarveLocks

/// A collection of values or objects without duplicates that belongs to a property of an object.
///
/// ```swift
/// @Persisted var tags: MutableSet<String>
/// ```
///
/// The elements of a managed set are sorted: null first, then values in ascending order, strings
/// and data by their bytes, objects by their age or their integer primary key. An unmanaged set has
/// the same order of values, and objects in the order of insertion.
///
/// Elements are equal when the database treats them as equal: strings with the same UTF-8 bytes,
/// regardless of Unicode equivalence; -0.0 and 0.0; all NaNs; all nulls. Of equal elements, the set
/// keeps the first.
///
/// A set is unmanaged when it is created, and becomes managed together with the object that owns
/// it. A managed set reads the same version as its object, and can be changed only inside a write.
/// An index out of bounds behaves as in a ``List``.
///
/// Queries, sorting, limits, sections and observers are members of ``RealmCollection``.
///
/// Thread safety: see ``List``.
public final class MutableSet<Element: RealmCollectionValue>: Sendable {
  package let handle: CollectionHandle
  /// The elements of an unmanaged set; nil for an instance that was made managed.
  let unmanaged: UnmanagedContent<UnmanagedSet<Element>>?
  /// Guards the position of the last read by index.
  private let positions = Lock(SetPositions())

  /// Creates an empty unmanaged set.
  @_specialize(where Element == Int)
  @_specialize(where Element == String)
  @_specialize(where Element == Double)
  public init() {
    handle = CollectionHandle()
    unmanaged = UnmanagedContent(UnmanagedSet())
  }

  package init(handle: CollectionHandle) {
    self.handle = handle
    unmanaged = nil
  }

  /// Creates an unmanaged set with the given elements. Of equal elements, the first is kept.
  public convenience init(_ elements: some Sequence<Element>) {
    self.init()
    insert(objectsIn: elements)
  }

  /// The realm of a managed set; nil for an unmanaged one.
  public var realm: Realm? { context.flatMap(Realm.of) }

  /// Whether the object that owns the set was deleted. False for an unmanaged set.
  public var isInvalidated: Bool { handle.isManaged && !handle.owner.exists }

  /// Whether the set is frozen: pinned to one version.
  public var isFrozen: Bool { context?.isFrozen ?? false }

  /// The number of elements.
  ///
  /// - Complexity: O(1).
  public var count: Int { unmanaged?.read(handle) { $0.count } ?? handle.count }

  /// Returns whether the set contains an element.
  ///
  /// An object is found regardless of the version that it is read in. An object of another store is
  /// not in the set, even if it has the same primary key.
  ///
  /// - Complexity: O(log n).
  public func contains(_ element: Element) -> Bool {
    guard let unmanaged, !handle.isManaged else { return managedContains(element) }
    let identity = ElementIdentity(element)
    return unmanaged.read(handle) { $0.contains(identity) } ?? managedContains(element)
  }

  private func managedContains(_ element: Element) -> Bool {
    switch element._$boxed.content {
    case .value(let value): handle.setContains(value)
    case .object(let object): handle.setContains(object.handle)
    case .collection, .unset: false
    }
  }

  /// The first element in order; nil when the set is empty.
  public var first: Element? { present(at: 0) }

  /// The last element in order; nil when the set is empty.
  ///
  /// - Complexity: O(log n); O(n) for an unmanaged set that was changed.
  public var last: Element? {
    if let last = unmanaged?.read(handle, { $0.last }) { return last }
    return handle.lastSetElement.map { Element.typed($0, in: handle) }
  }

  /// Returns the element at an index; nil out of bounds.
  private func present(at index: Int) -> Element? {
    if let element = unmanaged?.read(handle, { $0.element(at: index) }) { return element }
    // A read out of bounds would mark the transaction as failed. Inside a write no other thread
    // changes the set.
    if handle.context?.transaction != nil, index >= count { return nil }
    return managedElement(at: index)
  }

  /// Accesses the element at an index, in the order of the elements.
  ///
  /// - Complexity: For a managed set, O(position) for the first element that an instance reads in a
  ///   version, O(n) for the second, then O(1).
  /// - Precondition: For an unmanaged or frozen set, the index is in bounds. Inside a write, an
  ///   index out of bounds of an unmanaged set marks the transaction as failed.
  public subscript(position: Int) -> Element {
    switch unmanaged?.look(handle, { $0.element(at: position) }) {
    case .content(let element?): return element
    case .content(nil):
      let isRefused = UnmanagedUse.isRefused(index: position, count: count, of: Element.self)
      Misuse.require(isRefused, "Index \(position) is out of bounds.")
      return Element._$missing(nil)
    case .recorder(let recorder): return Element._$recordingElement(recorder)
    case nil: break
    }
    if let element = managedElement(at: position) { return element }
    handle.noteMissing(at: position)
    return Element._$missing(source)
  }

  private func managedElement(at index: Int) -> Element? {
    switch positions.withLock({ $0.element(at: index, of: handle) }) {
    case .value(let value): Element.typed(value, in: handle)
    case .outOfBounds: nil
    }
  }

  /// Returns the index of an element, in the order of the elements; nil when it is not in the
  /// set. See ``contains(_:)`` for the equality of objects.
  ///
  /// - Complexity: O(n).
  public func index(of element: Element) -> Int? {
    let identity = ElementIdentity(element)
    return firstIndex { ElementIdentity($0) == identity }
  }
}

extension MutableSet: RealmCollection {
  /// The elements as results, in order; nil for an unmanaged set.
  public var _$results: Results<Element>? {
    context.map { Results(elementsOf: handle, in: $0) }
  }

  /// Returns the observation of the set.
  public func _$observation(_ keyPaths: [String]?) throws -> _CollectionObservation<MutableSet> {
    try Realm.Error.translating { try handle.observation(keyPaths) { MutableSet(handle: $0) } }
  }

  /// Whether another task may change the set.
  public var _$mayChange: Bool {
    handle.isManaged && (!isFrozen || context?.isDamaged ?? false)
  }

  /// Returns an iterator over the version that is read now, in order. Later changes of the set do
  /// not affect it.
  public func makeIterator() -> SetIterator<Element> { SetIterator(self) }
}

extension MutableSet: Hashable {
  /// Returns whether two sets are the same: the same property of the same object in the same state,
  /// live or frozen at the same version. Two unmanaged sets are equal when their elements are
  /// equal. To compare the elements of managed sets, use ``isSubset(of:)`` or `elementsEqual(_:)`.
  ///
  /// - Complexity: O(1); O(n log n) for unmanaged sets.
  public static func == (left: MutableSet, right: MutableSet) -> Bool {
    if left === right || left.handle.isSame(as: right.handle) { return true }
    return !left.handle.isManaged && !right.handle.isManaged && left.count == right.count
      && left.allSatisfy(right.contains)
  }

  /// Hashes the identity of a managed set, or the number of elements of an unmanaged one.
  public func hash(into hasher: inout Hasher) { hashIdentity(into: &hasher) }
}

extension MutableSet: CustomStringConvertible {
  /// The first 100 elements, each on a line; `[]` for an empty set.
  public var description: String {
    // A single iteration of one version: another task may change the set in the meantime.
    CollectionText.text(
      "MutableSet<\(Element.self)>", IteratorSequence(makeIterator()), count: count, empty: "[]"
    ) { $0._$boxed.text }
  }
}
