import VarveCore
import VarveEncoding

extension MutableSet {
  /// Inserts an element. Inserting an existing element is not a change. An unmanaged object is
  /// added to the realm of a managed set.
  ///
  /// - Complexity: O(log n).
  public func insert(_ element: Element) { insert(objectsIn: CollectionOfOne(element)) }

  /// Inserts elements. Inserting an existing element is not a change, and nothing is inserted when
  /// one of the elements cannot be stored. The set itself may be the source.
  public func insert(objectsIn elements: some Sequence<Element>) {
    let elements = Array(elements)
    if isUnmanaged, isInserted(unmanaged: elements) { return }
    handle.edit { (transaction, _) throws(Failure) in
      let values = try ObjectAdder.values(of: elements, in: handle, transaction)
      try transaction.insertElements(values, try handle.edited(in: transaction))
    }
  }

  /// Inserts elements into an unmanaged set; returns `false` for a managed one.
  @_specialize(where Element == Int)
  @_specialize(where Element == String)
  @_specialize(where Element == Double)
  private func isInserted(unmanaged elements: [Element]) -> Bool {
    let members = elements.map { UnmanagedSet.Member($0) }
    return change { $0.insert(members) }
  }

  /// Removes an element. Removing an absent element is not a change. An object is not deleted from
  /// the realm.
  ///
  /// - Complexity: O(log n); O(n) for an unmanaged set.
  public func remove(_ element: Element) { subtract(CollectionOfOne(element)) }

  /// Removes every element. Objects are not deleted from the realm.
  public func removeAll() {
    if change({ $0.replace(with: UnmanagedSet()) }) { return }
    handle.edit { (transaction, set) throws(Failure) in try transaction.removeAllSetElements(set) }
  }

  /// Inserts the elements of another collection; see ``insert(objectsIn:)``.
  public func formUnion(_ other: some Sequence<Element>) { insert(objectsIn: other) }

  /// Removes the elements that are in another collection. Objects are not deleted from the realm.
  ///
  /// - Parameter other: The elements to remove. Passing the set itself empties it.
  public func subtract(_ other: some Sequence<Element>) {
    let elements = Array(other)
    if isUnmanaged {
      let identities = Self.identities(of: elements)
      if change({ $0.remove(identities) }) { return }
    }
    handle.edit { (transaction, set) throws(Failure) in
      for value in elements.compactMap(storedValue) { try transaction.removeElement(value, set) }
    }
  }

  /// Removes the elements that are not in another collection. Objects are not deleted from the
  /// realm.
  public func formIntersection(_ other: some Sequence<Element>) {
    let elements = Array(other)
    if isUnmanaged {
      let identities = Self.identities(of: elements)
      if change({ $0.keep(identities) }) { return }
    }
    let type = Element._$elementType.kind.type
    handle.edit { (transaction, set) throws(Failure) in
      let kept = Set(elements.compactMap(storedValue).map { SetElementKey($0, type) })
      try transaction.removeElements(set) { !kept.contains(SetElementKey($0, type)) }
    }
  }

  /// Removes the elements that are also in another collection, and inserts the other elements of
  /// that collection. Nothing changes when one of the elements cannot be stored.
  ///
  /// - Parameter other: The other collection. Repeated elements count once.
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

  /// Replaces all elements. Nothing changes when an element cannot be stored.
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
  /// - Returns: `false` when the set is managed.
  private func change<R: Sendable>(_ body: (inout UnmanagedSet<Element>) -> R) -> Bool {
    unmanaged?.change(handle, body) ?? false
  }

  /// Whether the set is unmanaged. Another thread may be adding its object at the same time.
  private var isUnmanaged: Bool { unmanaged != nil && !handle.isManaged }

  /// Returns an element in its stored form; nil for an object that is in no set of the store.
  private func storedValue(_ element: Element) -> Value? {
    switch element._$boxed.content {
    case .value(let value): value
    case .object(let object): handle.link(to: object.handle)
    case .collection, .unset: nil
    }
  }
}
