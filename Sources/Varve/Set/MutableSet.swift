import Synchronization
package import VarveCore
import VarveEncoding

/// A collection of values or objects without duplicates that belongs to a property of an object.
///
/// ```swift
/// @Persisted var tags: MutableSet<String>
/// ```
///
/// The elements of a managed set come in order: null first, then values as they compare, strings and data by their
/// bytes, objects by their age or their integer primary key. An unmanaged set has values in the same order, and objects
/// in that of their insertion.
///
/// Elements are the same where the database finds them equal: strings with the same UTF-8 bytes, whatever Unicode says
/// of them; -0.0 is 0.0; every NaN is the same one, and null is too. Of two that are the same the set keeps the first.
///
/// A set begins unmanaged and becomes managed with the object that it belongs to. A managed set reads the view of its
/// object, and can be changed only inside a write. An index out of bounds traps on a frozen or unmanaged set, and dooms
/// the write that uses it; on a live set, which another task may have changed, reading gives an invalidated object or
/// the zero value.
///
/// Thread safety: as ``List``.
public final class MutableSet<Element: RealmCollectionValue>: Sendable {
  package let handle: CollectionHandle
  /// Nil for a handle that was made managed.
  let unmanaged: UnmanagedContent<UnmanagedSet<Element>>?
  /// Guards what was read last by place.
  private let positions = Mutex(SetPositions())

  /// Makes an empty unmanaged set.
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

  /// Makes an unmanaged set.
  ///
  /// - Parameter elements: the elements; of those that are the same the first is kept.
  public convenience init(_ elements: some Sequence<Element>) {
    self.init()
    insert(objectsIn: elements)
  }

  /// The realm of a managed set; nil for an unmanaged one.
  public var realm: Realm? { context.flatMap(Realm.of) }

  /// Whether the object that owns the set was deleted. False for an unmanaged set.
  public var isInvalidated: Bool { handle.isManaged && !handle.owner.exists }

  /// Whether the set is pinned to one version.
  public var isFrozen: Bool { context?.isFrozen ?? false }

  /// The number of elements.
  ///
  /// - Complexity: O(1).
  public var count: Int { unmanaged?.read(handle) { $0.count } ?? handle.count }

  /// Whether an element is in the set.
  ///
  /// An object is found at whatever version its handle is; one of another store is not in the set, though it may have
  /// the same primary key.
  ///
  /// - Parameter element: the element.
  /// - Returns: whether it is there.
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

  /// The element at a place; nil when there is none.
  private func present(at index: Int) -> Element? {
    if let element = unmanaged?.read(handle, { $0.element(at: index) }) { return element }
    // A read out of bounds would doom a write; and inside one nobody else changes the set.
    if handle.context?.transaction != nil, index >= count { return nil }
    return managedElement(at: index)
  }

  /// The element at a place in the order of the elements.
  ///
  /// - Complexity: of a managed set, O(position) for the first element that a handle reads in a version, O(n) for the
  ///   second, then O(1).
  /// - Precondition: for an unmanaged or frozen set, the position is in bounds; inside a write, one that an unmanaged
  ///   set does not have dooms the write.
  public subscript(position: Int) -> Element {
    switch unmanaged?.look(handle, { $0.element(at: position) }) {
    case .content(let element?): return element
    case .content(nil):
      let isRefused = UnmanagedUse.isRefused(place: position, count: count, of: Element.self)
      precondition(isRefused, "Index \(position) is out of bounds.")
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

  /// The place of an element in the order of the elements; see ``contains(_:)`` for which are the same.
  ///
  /// - Parameter element: the element.
  /// - Returns: nil when it is not there.
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

  /// How the set is observed.
  public func _$observation(_ keyPaths: [String]?) throws -> _CollectionObservation<MutableSet> {
    try Realm.Error.translating { try handle.observation(keyPaths) { MutableSet(handle: $0) } }
  }

  /// Whether another task may change what is read.
  public var _$mayChange: Bool {
    handle.isManaged && (!isFrozen || context?.isDamaged ?? false)
  }

  /// Walks the set in order, in the version that is read now, whatever happens to the set meanwhile.
  public func makeIterator() -> SetIterator<Element> { SetIterator(self) }
}

extension MutableSet: Hashable {
  /// Whether two handles stand for the same set, the same property of the same object in the same state; of unmanaged
  /// sets, whether the elements are. For those of managed sets see ``isSubset(of:)`` and `elementsEqual(_:)`.
  ///
  /// - Complexity: O(1); O(n log n) for unmanaged sets.
  public static func == (left: MutableSet, right: MutableSet) -> Bool {
    if left === right || left.handle.isSame(as: right.handle) { return true }
    return !left.handle.isManaged && !right.handle.isManaged && left.count == right.count
      && left.allSatisfy(right.contains)
  }

  /// Hashes the identity; of an unmanaged set, the number of its elements.
  public func hash(into hasher: inout Hasher) { hashIdentity(into: &hasher) }
}

extension MutableSet: CustomStringConvertible {
  /// The first 100 elements, each on a line; `[]` for none.
  public var description: String {
    // One walk, in one version: another task may change the set meanwhile.
    CollectionText.text(
      "MutableSet<\(Element.self)>", IteratorSequence(makeIterator()), count: count, empty: "[]"
    ) { $0._$boxed.text }
  }
}
