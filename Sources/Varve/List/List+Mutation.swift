import VarveCore
import VarveEncoding

extension List {
  /// Appends an element; an unmanaged object is added to the realm of a managed list.
  ///
  /// - Complexity: O(log n), amortised O(1) in one transaction.
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

  // Apart from `append`, which would pay for the type of the collection at each call.
  @inline(never)
  private func appendManaged(_ element: Element) {
    insertManaged(CollectionOfOne(element), at: nil)
  }

  /// Appends elements; the list itself may be the source.
  public func append(objectsIn elements: some Sequence<Element>) {
    let elements = Array(elements)
    if !tryAppend(unmanaged: elements) { insertManaged(elements, at: nil) }
  }

  /// Appends elements to an unmanaged list; false for a managed one.
  @_specialize(where Element == Int)
  @_specialize(where Element == String)
  @_specialize(where Element == Double)
  private func tryAppend(unmanaged elements: [Element]) -> Bool {
    change { $0.append(contentsOf: elements) }
  }

  /// Appends elements.
  public func append(contentsOf elements: some Sequence<Element>) { append(objectsIn: elements) }

  /// Inserts an element before a place; the count as place appends.
  ///
  /// - Precondition: outside of a write, the place is in bounds, as of an array; inside one, another dooms the write.
  public func insert(_ element: Element, at index: Int) {
    if change([index], isInsertion: true, { $0.insert(element, at: index) }) { return }
    insertManaged(CollectionOfOne(element), at: index)
  }

  /// Inserts elements before a place.
  ///
  /// - Precondition: outside of a write, the place is in bounds, as of an array; inside one, another dooms the write.
  public func insert(contentsOf elements: some Collection<Element>, at index: Int) {
    let elements = Array(elements)
    if change([index], isInsertion: true, { $0.insert(contentsOf: elements, at: index) }) { return }
    insertManaged(elements, at: index)
  }

  /// Removes the element at a place; an object stays in the realm.
  ///
  /// - Precondition: outside of a write, the place is in bounds, as of an array; inside one, another dooms the write.
  public func remove(at index: Int) {
    if change([index], { $0.remove(at: index) }) { return }
    handle.edit { (transaction, list) throws(Failure) in
      try transaction.remove(at: index, list)
    }
  }

  /// Removes the first element; nothing happens when the list is empty.
  public func removeFirst() { if !isEmpty { remove(at: 0) } }

  /// Removes the last element; nothing happens when the list is empty.
  public func removeLast() {
    if change({ $0.popLast() }) { return }
    handle.edit { (transaction, list) throws(Failure) in
      let count = transaction.count(list)
      if count > 0 { try transaction.remove(count - 1..<count, list) }
    }
  }

  /// Removes the last elements.
  ///
  /// - Parameter number: how many; more than there are is an index out of bounds.
  /// - Precondition: outside of a write, there are as many; inside one, more doom the write.
  public func removeLast(_ number: Int) { remove(number, isLast: true) }

  /// Removes the first elements; objects stay in the realm.
  ///
  /// - Parameter number: how many; more than there are is an index out of bounds.
  /// - Precondition: outside of a write, there are as many; inside one, more doom the write.
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

  /// Removes the elements in a range of places.
  ///
  /// - Precondition: outside of a write, the range is in bounds, as of an array; inside one, another dooms the write.
  public func removeSubrange(_ range: Range<Int>) {
    if change(in: range, { $0.taking(range, replacing: []) }) { return }
    handle.edit { (transaction, list) throws(Failure) in try transaction.remove(range, list) }
  }

  /// Removes every element; objects stay in the realm.
  public func removeAll() {
    if change({ $0.taking($0.indices, replacing: []) }) { return }
    handle.edit { (transaction, list) throws(Failure) in try transaction.removeAllElements(list) }
  }

  /// Replaces elements.
  ///
  /// - Precondition: outside of a write, the range is in bounds, as of an array; inside one, another dooms the write.
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

  /// Replaces all elements, or none of them.
  func replaceAll(with elements: [Element]) {
    if change({ $0.taking($0.indices, replacing: elements) }) { return }
    handle.edit { (transaction, _) throws(Failure) in
      let values = try ObjectAdder.values(of: elements, in: handle, transaction)
      let list = try handle.edited(in: transaction)
      try transaction.replace(0..<transaction.count(list), with: values, list)
    }
  }

  /// Replaces the element at a place. Writing an equal value is no change.
  ///
  /// - Parameters:
  ///   - index: the place.
  ///   - object: the new element.
  /// - Precondition: outside of a write, the place is in bounds, as of an array; inside one, another dooms the write.
  public func replace(index: Int, object: Element) {
    if change([index], { $0.taking(index, replacing: object) }) { return }
    handle.edit { (transaction, list) throws(Failure) in
      try transaction.checkElement(list, at: index)
      let value = try ObjectAdder.value(of: object._$boxed, in: handle, transaction)
      try transaction.replace(value, try handle.edited(in: transaction), at: index)
    }
  }

  /// Moves an element; it ends at the destination.
  ///
  /// - Precondition: outside of a write, both places are in bounds, as of an array; inside one, others doom the write.
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
  /// - Precondition: outside of a write, both places are in bounds, as of an array; inside one, others doom the write.
  public func swapAt(_ first: Int, _ second: Int) {
    if change([first, second], { $0.swapAt(first, second) }) { return }
    handle.edit { (transaction, list) throws(Failure) in
      try transaction.swap(first, second, list)
    }
  }

  /// Changes an unmanaged list.
  ///
  /// - Returns: false when the list is managed.
  func change<R: Sendable>(_ body: (inout [Element]) -> R) -> Bool {
    unmanaged?.change(handle, body) ?? false
  }

  // What an unmanaged list does not have is wrong in every run, and traps. Inside a write, where `create` may have
  // given the list because of its input, it dooms the write.

  /// Changes a range of an unmanaged list.
  private func change<R: Sendable>(
    in range: Range<Int>, _ body: (inout [Element]) -> R
  ) -> Bool {
    change([range.lowerBound, range.upperBound], isInsertion: true, body)
  }

  /// Changes an unmanaged list at some places, which `isInsertion` says are before an element or at the end.
  func change<R: Sendable>(
    _ places: [Int], isInsertion: Bool = false, _ body: (inout [Element]) -> R
  ) -> Bool {
    if handle.isManaged { return false }
    var missing: (place: Int, count: Int)?
    let wasChanged = change { elements -> R? in
      let limit = isInsertion ? elements.count : elements.count - 1
      guard let place = places.first(where: { $0 < 0 || $0 > limit }) else {
        return body(&elements)
      }
      missing = (place, elements.count)
      return nil
    }
    if let (place, count) = missing {
      let isRefused = UnmanagedUse.isRefused(place: place, count: count, of: Element.self)
      precondition(isRefused, "Index \(place) is out of bounds.")
    }
    return wasChanged
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

/// Changes that give back what they take out.
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
