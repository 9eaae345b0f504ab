import VarveCore
import VarveEncoding

extension List {
  /// Appends an element. An unmanaged object is added to the realm of a managed list.
  ///
  /// - Complexity: O(log n), amortized O(1) in one transaction.
  public func append(_ element: Element) {
    if change({ $0.append(element) }) { return }
    if case .value(let value) = element._$boxed.content, let bits = handle.traits.bits(of: value) {
      if handle.tryAppend(bits: bits) { return }
      handle.edit { (transaction, list) throws(Failure) in
        try transaction.append(bits: bits, list)
      }
      return
    }
    appendManaged(element)
  }

  // Separate from `append`, which would otherwise look up metadata in each call.
  @inline(never)
  private func appendManaged(_ element: Element) { insertManaged(element, at: nil) }

  /// Appends elements. The list itself may be the source.
  public func append(objectsIn elements: some Sequence<Element>) {
    let elements = Array(elements)
    if !tryAppend(unmanaged: elements) { insertManaged(elements, at: nil) }
  }

  /// Appends elements to an unmanaged list; returns `false` for a managed one.
  @_specialize(where Element == Int)
  @_specialize(where Element == String)
  @_specialize(where Element == Double)
  private func tryAppend(unmanaged elements: [Element]) -> Bool {
    change { $0.append(contentsOf: elements) }
  }

  /// Appends elements. The list itself may be the source.
  public func append(contentsOf elements: some Sequence<Element>) { append(objectsIn: elements) }

  /// Inserts an element before an index. The count as index appends the element.
  ///
  /// - Precondition: The index is in bounds. Otherwise the call traps outside of a write; inside
  ///   one, it marks the transaction as failed.
  public func insert(_ element: Element, at index: Int) {
    if handle.isManaged { return insertManaged(element, at: index) }
    if change([index], isInsertion: true, { $0.insert(element, at: index) }) { return }
    insertManaged(element, at: index)
  }

  /// Inserts elements before an index. The count as index appends the elements.
  ///
  /// - Precondition: The index is in bounds. Otherwise the call traps outside of a write; inside
  ///   one, it marks the transaction as failed.
  public func insert(contentsOf elements: some Collection<Element>, at index: Int) {
    let elements = Array(elements)
    if change([index], isInsertion: true, { $0.insert(contentsOf: elements, at: index) }) { return }
    insertManaged(elements, at: index)
  }

  /// Removes the element at an index. An object is not deleted from the realm.
  ///
  /// - Precondition: The index is in bounds. Otherwise the call traps outside of a write; inside
  ///   one, it marks the transaction as failed.
  public func remove(at index: Int) {
    if change([index], { $0.remove(at: index) }) { return }
    handle.edit { (transaction, list) throws(Failure) in
      try transaction.remove(at: index, list)
    }
  }

  /// Removes the first element. An empty list is not changed.
  public func removeFirst() { if !isEmpty { remove(at: 0) } }

  /// Removes the last element. An empty list is not changed.
  public func removeLast() {
    if change({ $0.popLast() }) { return }
    handle.edit { (transaction, list) throws(Failure) in
      let count = transaction.count(list)
      if count > 0 { try transaction.remove(count - 1..<count, list) }
    }
  }

  /// Removes the last elements. Objects are not deleted from the realm.
  ///
  /// - Parameter number: The number of elements to remove.
  /// - Precondition: The number is not negative and not greater than the count. Otherwise the call
  ///   traps outside of a write; inside one, it marks the transaction as failed.
  public func removeLast(_ number: Int) { remove(number, isLast: true) }

  /// Removes the first elements. Objects are not deleted from the realm.
  ///
  /// - Parameter number: The number of elements to remove.
  /// - Precondition: The number is not negative and not greater than the count. Otherwise the call
  ///   traps outside of a write; inside one, it marks the transaction as failed.
  public func removeFirst(_ number: Int) { remove(number, isLast: false) }

  private func remove(_ number: Int, isLast: Bool) {
    func range(_ count: Int) -> Range<Int> { isLast ? count - number..<count : 0..<number }
    if change([number], isInsertion: true, { $0.taking(range($0.count), replacing: []) }) { return }
    handle.edit { (transaction, list) throws(Failure) in
      let count = transaction.count(list)
      guard number >= 0, number <= count else {
        throw handle.outOfBounds("removing the \(isLast ? "last" : "first") \(number) of \(count)")
      }
      try transaction.remove(range(count), list)
    }
  }

  /// Removes the elements in a range of indexes. Objects are not deleted from the realm.
  ///
  /// - Precondition: The range is in bounds. Otherwise the call traps outside of a write; inside
  ///   one, it marks the transaction as failed.
  public func removeSubrange(_ range: Range<Int>) {
    if change(in: range, { $0.taking(range, replacing: []) }) { return }
    handle.edit { (transaction, list) throws(Failure) in try transaction.remove(range, list) }
  }

  /// Removes every element. Objects are not deleted from the realm.
  public func removeAll() {
    if change({ $0.taking($0.indices, replacing: []) }) { return }
    handle.edit { (transaction, list) throws(Failure) in try transaction.removeAllElements(list) }
  }

  /// Replaces the elements in a range of indexes.
  ///
  /// - Precondition: The range is in bounds. Otherwise the call traps outside of a write; inside
  ///   one, it marks the transaction as failed.
  public func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Element>) {
    let elements = Array(elements)
    if change(in: range, { $0.taking(range, replacing: elements) }) { return }
    handle.edit { (transaction, list) throws(Failure) in
      try transaction.checkInsertion(list, at: range.lowerBound)
      try transaction.checkInsertion(list, at: range.upperBound)
      let values = try ObjectAdder.values(of: elements, in: handle, transaction)
      try transaction.replace(range, with: values, try handle.edited(in: transaction))
    }
  }

  /// Replaces all elements. Nothing changes when an element cannot be stored.
  func replaceAll(with elements: [Element]) {
    if change({ $0.taking($0.indices, replacing: elements) }) { return }
    handle.edit { (transaction, _) throws(Failure) in
      let values = try ObjectAdder.values(of: elements, in: handle, transaction)
      let list = try handle.edited(in: transaction)
      try transaction.replace(0..<transaction.count(list), with: values, list)
    }
  }

  /// Replaces the element at an index. Writing an identical value is not a change.
  ///
  /// - Precondition: The index is in bounds. Otherwise the call traps outside of a write; inside
  ///   one, it marks the transaction as failed.
  public func replace(index: Int, object: Element) {
    if change([index], { $0.taking(index, replacing: object) }) { return }
    handle.edit { (transaction, list) throws(Failure) in
      try transaction.checkElement(list, at: index)
      let value = try ObjectAdder.value(of: object._$boxed, in: handle, transaction)
      try transaction.replace(value, try handle.edited(in: transaction), at: index)
    }
  }

  /// Moves an element from one index to another. After the move, the element is at the destination
  /// index.
  ///
  /// - Precondition: Both indexes are in bounds. Otherwise the call traps outside of a write;
  ///   inside one, it marks the transaction as failed.
  public func move(from source: Int, to destination: Int) {
    if change([source, destination], { $0.insert($0.remove(at: source), at: destination) }) {
      return
    }
    handle.edit { (transaction, list) throws(Failure) in
      try transaction.move(from: source, to: destination, list)
    }
  }

  /// Swaps two elements.
  ///
  /// - Precondition: Both indexes are in bounds. Otherwise the call traps outside of a write;
  ///   inside one, it marks the transaction as failed.
  public func swapAt(_ first: Int, _ second: Int) {
    if change([first, second], { $0.swapAt(first, second) }) { return }
    handle.edit { (transaction, list) throws(Failure) in
      try transaction.swap(first, second, list)
    }
  }

  /// Sorts the list in place, stably. All elements are replaced at once, so that embedded objects
  /// exchange their places. If the closure throws, nothing is changed.
  ///
  /// - Parameter areInIncreasingOrder: Whether the first element comes before the second.
  public func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
    replaceAll(with: try Array(self).sorted(by: areInIncreasingOrder))
  }

  /// Calls a closure with a buffer that contains the elements, and then replaces all elements with
  /// its contents. If the closure throws, nothing is changed.
  ///
  /// Algorithms of the standard library use it, such as `sort()`.
  public func withContiguousMutableStorageIfAvailable<R>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> R
  ) rethrows -> R? {
    var elements = Array(self)
    // Safe because the buffer is that of an array, which the closure may not keep.
    let result = try unsafe elements.withContiguousMutableStorageIfAvailable(body)
    replaceAll(with: elements)
    return result
  }

  /// Changes an unmanaged list.
  ///
  /// - Returns: `false` when the list is managed.
  func change<R: Sendable>(_ body: (inout [Element]) -> R) -> Bool {
    unmanaged?.change(handle, body) ?? false
  }

  // An index out of bounds of an unmanaged list is a programming error, and traps. Inside a write,
  // where `create` may have returned an unmanaged list because of its input, it marks the
  // transaction as failed.

  /// Changes a range of an unmanaged list.
  private func change<R: Sendable>(
    in range: Range<Int>, _ body: (inout [Element]) -> R
  ) -> Bool {
    change([range.lowerBound, range.upperBound], isInsertion: true, body)
  }

  /// Changes an unmanaged list at some indexes. With `isInsertion`, the count is a valid index.
  func change<R: Sendable>(
    _ indexes: [Int], isInsertion: Bool = false, _ body: (inout [Element]) -> R
  ) -> Bool {
    if handle.isManaged { return false }
    var missing: (index: Int, count: Int)?
    let wasChanged = change { elements -> R? in
      let limit = isInsertion ? elements.count : elements.count - 1
      guard let index = indexes.first(where: { $0 < 0 || $0 > limit }) else {
        return body(&elements)
      }
      missing = (index, elements.count)
      return nil
    }
    if let (index, count) = missing {
      let isRefused = UnmanagedUse.isRefused(index: index, count: count, of: Element.self)
      Misuse.require(isRefused, "Index \(index) is out of bounds.")
    }
    return wasChanged
  }

  private func insertManaged(_ element: Element, at index: Int?) {
    handle.edit { (transaction, list) throws(Failure) in
      if let index { try transaction.checkInsertion(list, at: index) }
      let value = try ObjectAdder.value(of: element._$boxed, in: handle, transaction)
      let list = try handle.edited(in: transaction)
      try transaction.insert(value, list, at: index ?? transaction.count(list))
    }
  }

  private func insertManaged(_ elements: some Collection<Element>, at index: Int?) {
    handle.edit { (transaction, list) throws(Failure) in
      if let index { try transaction.checkInsertion(list, at: index) }
      let values = try ObjectAdder.values(of: elements, in: handle, transaction)
      let list = try handle.edited(in: transaction)
      try transaction.insert(values, list, at: index ?? transaction.count(list))
    }
  }
}

/// Mutations that return the replaced elements.
extension Array {
  fileprivate mutating func taking(_ index: Int, replacing element: Element) -> Element {
    let old = self[index]
    self[index] = element
    return old
  }

  mutating func taking(_ range: Range<Int>, replacing elements: [Element]) -> [Element] {
    let old = Array(self[range])
    replaceSubrange(range, with: elements)
    return old
  }
}

extension List where Element: Comparable {
  /// Sorts the list in place, in ascending order, stably.
  public func sort() { sort(by: <) }
}
