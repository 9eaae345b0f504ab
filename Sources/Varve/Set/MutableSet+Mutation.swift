import VarveCore
import VarveEncoding

extension MutableSet {
  /// Inserts an element; one that is there already is no change. An unmanaged object is added to the realm of a managed
  /// set.
  ///
  /// - Parameter element: the element.
  /// - Complexity: O(log n).
  public func insert(_ element: Element) { insert(objectsIn: CollectionOfOne(element)) }

  /// Inserts elements, or none of them; the set itself may be the source.
  ///
  /// - Parameter elements: the elements; those that are there already are no change.
  public func insert(objectsIn elements: some Sequence<Element>) {
    let elements = Array(elements)
    if isUnmanaged, isInserted(unmanaged: elements) { return }
    handle.edit { (transaction, _) throws(Failure) in
      let values = try ObjectAdder.values(of: elements, in: handle, transaction)
      try transaction.insertElements(values, try handle.edited(in: transaction))
    }
  }

  /// Inserts elements into an unmanaged set; false for a managed one.
  @_specialize(where Element == Int)
  @_specialize(where Element == String)
  @_specialize(where Element == Double)
  private func isInserted(unmanaged elements: [Element]) -> Bool {
    let members = elements.map { UnmanagedSet.Member($0) }
    return change { $0.insert(members) }
  }

  /// Removes an element; an absent one is no change. An object stays in the realm.
  ///
  /// - Parameter element: the element.
  /// - Complexity: O(log n); O(n) for an unmanaged set.
  public func remove(_ element: Element) { subtract(CollectionOfOne(element)) }

  /// Removes every element; objects stay in the realm.
  public func removeAll() {
    if change({ $0.replace(with: UnmanagedSet()) }) { return }
    handle.edit { (transaction, set) throws(Failure) in try transaction.removeAllSetElements(set) }
  }

  /// Inserts the elements of another collection, or none of them; see ``insert(objectsIn:)``.
  ///
  /// - Parameter other: the other.
  public func formUnion(_ other: some Sequence<Element>) { insert(objectsIn: other) }

  /// Removes the elements that are in another collection; objects stay in the realm.
  ///
  /// - Parameter other: the other; it may be the set itself, which ends empty.
  public func subtract(_ other: some Sequence<Element>) {
    let elements = Array(other)
    if isUnmanaged {
      let identities = Self.identities(of: elements)
      if change({ $0.remove(identities) }) { return }
    }
    handle.edit { (transaction, set) throws(Failure) in
      for value in elements.compactMap(known) { try transaction.removeElement(value, set) }
    }
  }

  /// Removes the elements that are not in another collection; objects stay in the realm.
  ///
  /// - Parameter other: the other.
  public func formIntersection(_ other: some Sequence<Element>) {
    let elements = Array(other)
    if isUnmanaged {
      let identities = Self.identities(of: elements)
      if change({ $0.keep(identities) }) { return }
    }
    let type = Element._$elementType.kind.type
    handle.edit { (transaction, set) throws(Failure) in
      let kept = Set(elements.compactMap(known).map { SetElementKey($0, type) })
      try transaction.removeElements(set) { !kept.contains(SetElementKey($0, type)) }
    }
  }

  /// Removes the elements that are in another collection as well, and inserts its others; or does neither.
  ///
  /// - Parameter other: the other; elements that are there several times count once.
  public func formSymmetricDifference(_ other: some Sequence<Element>) {
    let elements = Array(other)
    if isUnmanaged {
      let members = elements.map { UnmanagedSet.Member($0) }
      let wasChanged = change { set in
        let present = Set(members.map(\.identity).filter { set.contains($0) })
        set.insert(members)
        return set.remove(present)
      }
      if wasChanged { return }
    }
    handle.edit { (transaction, _) throws(Failure) in
      let values = try ObjectAdder.values(of: elements, in: handle, transaction)
      try transaction.toggleElements(values, try handle.edited(in: transaction))
    }
  }

  /// Has the set hold some elements and no others, or leaves it as it is.
  func replaceAll(with elements: [Element]) {
    if isUnmanaged {
      let replacement = UnmanagedSet(elements.map { UnmanagedSet.Member($0) })
      if change({ $0.replace(with: replacement) }) { return }
    }
    handle.edit { (transaction, _) throws(Failure) in
      let values = try ObjectAdder.values(of: elements, in: handle, transaction)
      try transaction.replaceElements(values, try handle.edited(in: transaction))
    }
  }

  /// Changes an unmanaged set.
  ///
  /// - Returns: false when the set is managed.
  private func change<R: Sendable>(_ body: (inout UnmanagedSet<Element>) -> R) -> Bool {
    unmanaged?.change(handle, body) ?? false
  }

  /// Whether the set is unmanaged, unless another thread is about to add its object.
  private var isUnmanaged: Bool { unmanaged != nil && !handle.isManaged }

  /// An element as it is stored; nil for an object that is in no set of the store.
  private func known(_ element: Element) -> Value? {
    switch element._$boxed.content {
    case .value(let value): value
    case .object(let object): handle.link(to: object.handle)
    case .collection, .unset: nil
    }
  }
}
