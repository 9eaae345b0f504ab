package import VarveCore
import VarveEncoding

/// An ordered collection of values or objects that belongs to a property of an object.
///
/// ```swift
/// @Persisted var toys: List<Toy>
/// ```
///
/// A list begins unmanaged and becomes managed with the object that it belongs to. A managed list
/// reads the view of its object, and can be changed only inside a write.
///
/// An index out of bounds dooms the write that uses it: the operation is skipped and the write throws
/// `.indexOutOfBounds` at its end. An unmanaged list is an array in this: reading and changing it out of
/// bounds traps, inside a write too. Reading out of bounds traps on a frozen list as well; on a live one,
/// which another task may have shortened, it gives an invalidated object or the zero value.
///
/// Thread safety: any thread or task may use a list. Walking it (`for`, `map`, `Array(_:)`) pins one
/// version for the walk.
public final class List<Element: RealmCollectionValue>: Sendable {
  package let handle: CollectionHandle
  /// The elements of an unmanaged list; nil for a handle that was made managed.
  let unmanaged: UnmanagedContent<[Element]>?

  /// Makes an empty unmanaged list.
  @_specialize(where Element == Int)
  @_specialize(where Element == String)
  @_specialize(where Element == Double)
  public init() {
    handle = CollectionHandle()
    unmanaged = UnmanagedContent([])
  }

  package init(handle: CollectionHandle) {
    self.handle = handle
    unmanaged = nil
  }

  /// The realm of a managed list; nil for an unmanaged one.
  public var realm: Realm? { context.flatMap(Realm.of) }

  /// Whether the object that owns the list was deleted, or a list in an ``AnyRealmValue`` was removed or replaced.
  /// False for an unmanaged list.
  public var isInvalidated: Bool { handle.isManaged && !handle.exists }

  /// Whether the list is pinned to one version.
  public var isFrozen: Bool { context?.isFrozen ?? false }

  /// The number of elements.
  ///
  /// - Complexity: O(1).
  public var count: Int {
    if handle.isManaged { return handle.count }
    return unmanaged?.read(handle) { $0.count } ?? handle.count
  }

  /// The first element; nil when the list is empty.
  public var first: Element? { present(at: 0) }

  /// The last element; nil when the list is empty.
  public var last: Element? {
    // Another task may shorten the list in between.
    for _ in 0..<3 {
      let count = count
      if count == 0 { return nil }
      if let last = present(at: count - 1) { return last }
    }
    return nil
  }

  /// The element at a place; nil when there is none, found out by one look at one version.
  private func present(at index: Int) -> Element? {
    let element = unmanaged?.read(handle) { elements -> Element? in
      elements.indices.contains(index) ? elements[index] : nil
    }
    if let element { return element }
    // A read out of bounds would doom a write; and inside one nobody else changes the list.
    if handle.context?.transaction != nil, index >= count { return nil }
    return Element._$element(of: _CollectionSource(handle: handle), at: index)
  }

  /// The element at a place.
  ///
  /// - Complexity: O(log n); near O(1) for reads of one version.
  /// - Precondition: for an unmanaged or frozen list, the index is in bounds; inside a write, one that an unmanaged list
  ///   does not have dooms the write.
  public subscript(index: Int) -> Element {
    get {
      if handle.isManaged { return managedElement(at: index) }
      return unmanagedElement(at: index)
    }
    set { replace(index: index, object: newValue) }
  }

  /// The elements in a range of places. Assigned to, they are replaced by as many others as there are; see
  /// ``replaceSubrange(_:with:)-(Range<Int>,_)``.
  public subscript(bounds: Range<Int>) -> Slice<List> {
    get { Slice(base: self, bounds: bounds) }
    set {
      let elements = Array(newValue)
      guard elements.count == bounds.count else {
        return replaceSubrange(bounds, with: elements)
      }
      // An equal element is no change.
      for (index, element) in zip(bounds, elements) { self[index] = element }
    }
  }

  @inline(__always)
  private func managedElement(at index: Int) -> Element {
    Element._$presentElement(of: _CollectionSource(handle: handle), at: index)
  }

  private func unmanagedElement(at index: Int) -> Element {
    let read = unmanaged?.look(handle) { elements -> (Element?, Int) in
      (elements.indices.contains(index) ? elements[index] : nil, elements.count)
    }
    switch read {
    case .content((let element?, _)): return element
    case .content((nil, let count)):
      let isRefused = UnmanagedUse.isRefused(place: index, count: count, of: Element.self)
      precondition(isRefused, "Index \(index) is out of bounds.")
      return Element._$missing(nil)
    case .recorder(let recorder): return Element._$recordingElement(recorder)
    case nil: return managedElement(at: index)
    }
  }
}

extension List: RealmCollection, MutableCollection {
  /// The elements as results; nil for an unmanaged list.
  public var _$results: Results<Element>? {
    context.map { Results(elementsOf: handle, in: $0) }
  }

  /// How the list is observed.
  public func _$observation(_ keyPaths: [String]?) throws -> _CollectionObservation<List> {
    try Realm.Error.translating { try handle.observation(keyPaths) { List(handle: $0) } }
  }

  /// The place of the first element that is equal to another.
  ///
  /// Elements are equal when `==` of their type says so, in an unmanaged, a managed and a frozen list
  /// as in an array: a NaN is equal to nothing, -0.0 to 0.0, and a string to the same text in another
  /// Unicode form. A condition of `where` compares as the database does instead, which keeps such
  /// strings apart and finds a NaN. See ``RealmCollection/index(of:)`` for objects.
  ///
  /// - Parameter element: the other.
  /// - Returns: nil when there is none.
  /// - Complexity: O(n).
  public func index(of element: Element) -> Int? {
    if handle.isManaged, let object = element as? ObjectBase {
      return handle.firstIndex(of: object.handle)
    }
    return firstPlace(of: element)
  }

  /// Whether another task may change what is read.
  public var _$mayChange: Bool {
    handle.isManaged && (!isFrozen || context?.isDamaged ?? false)
  }

  /// Walks the list in the version that is read now, whatever happens to the list meanwhile.
  public func makeIterator() -> ListIterator<Element> { ListIterator(self) }
}

extension List: Hashable {
  /// Whether two handles stand for the same list, the same property of the same object in the same state; of unmanaged
  /// lists, whether the elements are equal. A managed and an unmanaged list never are.
  ///
  /// - Complexity: O(1); O(n) for unmanaged lists.
  public static func == (left: List, right: List) -> Bool {
    if left === right || left.handle.isSame(as: right.handle) { return true }
    guard !left.handle.isManaged, !right.handle.isManaged else { return false }
    return Element.self == AnyRealmValue.self
      ? NestedEquality.areEqual(left, right) : left.elementsEqual(right)
  }

  /// Hashes the identity; of an unmanaged list, the number of its elements.
  public func hash(into hasher: inout Hasher) { hashIdentity(into: &hasher) }
}

extension List: CustomStringConvertible {
  /// The first 100 elements, each on a line; `[]` for none.
  public var description: String {
    // One walk, in one version: another task may change the list meanwhile.
    CollectionText.text(
      "List<\(Element.self)>", IteratorSequence(makeIterator()), count: count, empty: "[]"
    ) { $0._$boxed.text }
  }
}
