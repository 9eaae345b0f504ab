package import VarveCore
import VarveEncoding

/// An ordered collection of values or objects that belongs to a property of an object.
///
/// ```swift
/// @Persisted var toys: List<Toy>
/// ```
///
/// A list is unmanaged when it is created, and becomes managed together with the object that owns
/// it. A managed list reads the same version as its object, and can be changed only inside a write.
///
/// Reading an index out of bounds traps on a frozen list and, outside of a write, on an unmanaged
/// list. On a live list, which another task may have shortened, it returns an invalidated object or
/// the zero value. Inside a write, an index out of bounds of a live or unmanaged list marks the
/// transaction as failed: the operation is skipped, and the write throws `.indexOutOfBounds` at its
/// end.
///
/// Queries, sorting, limits, sections and observers are members of ``RealmCollection``.
///
/// Thread safety: any thread or task may use a list. Iteration (`for`, `map`, `Array(_:)`) pins one
/// version until it ends.
public final class List<Element: RealmCollectionValue>: Sendable {
  package let handle: CollectionHandle
  /// The elements of an unmanaged list; nil for an instance that was made managed.
  let unmanaged: UnmanagedContent<[Element]>?

  /// Creates an empty unmanaged list.
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

  /// Whether the object that owns the list was deleted, or a list in an ``AnyRealmValue`` was
  /// removed or replaced. False for an unmanaged list.
  public var isInvalidated: Bool { handle.isManaged && !handle.exists }

  /// Whether the list is frozen: pinned to one version.
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
    // Another task may shorten the list between the two reads.
    for _ in 0..<3 {
      let count = count
      if count == 0 { return nil }
      if let last = present(at: count - 1) { return last }
    }
    return nil
  }

  /// Returns the element at an index, or nil out of bounds, with a single read of one version.
  private func present(at index: Int) -> Element? {
    let element = unmanaged?.read(handle) { elements -> Element? in
      elements.indices.contains(index) ? elements[index] : nil
    }
    if let element { return element }
    // A read out of bounds would mark the transaction as failed. Inside a write no other thread
    // changes the list.
    if handle.context?.transaction != nil, index >= count { return nil }
    return Element._$element(of: _CollectionSource(handle: handle), at: index)
  }

  /// Accesses the element at an index.
  ///
  /// - Complexity: O(log n); close to O(1) for repeated reads of one version.
  /// - Precondition: For an unmanaged or frozen list, the index is in bounds. Inside a write, an
  ///   index out of bounds of an unmanaged list marks the transaction as failed.
  public subscript(index: Int) -> Element {
    get {
      if handle.isManaged { return managedElement(at: index) }
      return unmanagedElement(at: index)
    }
    set { replace(index: index, object: newValue) }
  }

  /// Accesses the elements in a range of indexes. An assignment replaces them with any number of
  /// elements; see ``replaceSubrange(_:with:)-(Range<Int>,_)``.
  public subscript(bounds: Range<Int>) -> Slice<List> {
    get { Slice(base: self, bounds: bounds) }
    set {
      let elements = Array(newValue)
      guard elements.count == bounds.count else {
        return replaceSubrange(bounds, with: elements)
      }
      // Writing an identical element is not a change.
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
      let isRefused = UnmanagedUse.isRefused(index: index, count: count, of: Element.self)
      Misuse.require(isRefused, "Index \(index) is out of bounds.")
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

  /// Returns the observation of the list.
  public func _$observation(_ keyPaths: [String]?) throws -> _CollectionObservation<List> {
    try Realm.Error.translating { try handle.observation(keyPaths) { List(handle: $0) } }
  }

  /// Returns the index of the first element that is equal to the given one; nil when there is
  /// none.
  ///
  /// Elements are compared with `==`, as in an array: a string is equal to a canonically equivalent
  /// one. A condition of `where` compares the bytes of strings instead; see
  /// <doc:ComparisonSemantics>. For objects, see ``RealmCollection/index(of:)``.
  ///
  /// - Complexity: O(n).
  public func index(of element: Element) -> Int? {
    if handle.isManaged, let object = element as? ObjectBase {
      return handle.firstIndex(of: object.handle)
    }
    return firstPosition(of: element)
  }

  /// Whether another task may change the list.
  public var _$mayChange: Bool {
    handle.isManaged && (!isFrozen || context?.isDamaged ?? false)
  }

  /// Returns an iterator over the version that is read now. Later changes of the list do not affect
  /// it.
  public func makeIterator() -> ListIterator<Element> { ListIterator(self) }
}

extension List: Hashable {
  /// Returns whether two lists are the same: the same property of the same object in the same
  /// state, live or frozen at the same version. Two unmanaged lists are equal when their elements
  /// are equal. A managed and an unmanaged list are never equal.
  ///
  /// - Complexity: O(1); O(n) for unmanaged lists.
  public static func == (left: List, right: List) -> Bool {
    if left === right || left.handle.isSame(as: right.handle) { return true }
    guard !left.handle.isManaged, !right.handle.isManaged else { return false }
    return Element.self == AnyRealmValue.self
      ? NestedEquality.areEqual(left, right) : left.elementsEqual(right)
  }

  /// Hashes the identity of a managed list, or the number of elements of an unmanaged one.
  public func hash(into hasher: inout Hasher) { hashIdentity(into: &hasher) }
}

extension List: CustomStringConvertible {
  /// The first 100 elements, each on a line; `[]` for an empty list.
  public var description: String {
    // A single iteration of one version: another task may change the list in the meantime.
    CollectionText.text(
      "List<\(Element.self)>", IteratorSequence(makeIterator()), count: count, empty: "[]"
    ) { $0._$boxed.text }
  }
}
