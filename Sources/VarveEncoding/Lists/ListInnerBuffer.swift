/// An editable inner node, reused for node after node without allocating. It may grow over
/// ``ListNode/maximumBytes``; then it must be split before it is finished.
///
/// Thread safety: none; one owner at a time.
@usableFromInline
package final class ListInnerBuffer {
  // Safe because the buffer has one owner, and no access to these runs foreign code.

  @exclusivity(unchecked) @usableFromInline
  var storage = ByteStorage(capacity: ListNode.maximumBytes)
  @exclusivity(unchecked) @usableFromInline
  package private(set) var count = 0

  package init() {}

  /// Begins with a copy of a node.
  package init(_ node: ListInner) { load(node) }

  /// Begins with no children.
  package func removeAll() { count = 0 }

  /// Begins with a copy of a node.
  package func load(_ node: ListInner) {
    storage.reserve(node.byteCount, keeping: 0)
    storage.base.copyMemory(from: node.base, byteCount: node.byteCount)
    count = node.count
  }

  /// Begins with a copy of another buffer.
  package func load(_ other: ListInnerBuffer) {
    removeAll()
    insert(from: other, 0..<other.count, at: 0)
  }

  /// The length of the node if it were finished now.
  @usableFromInline package var byteCount: Int {
    ListNode.headerBytes + count * ListInnerEntry.byteCount
  }

  /// Whether there are more children than a node holds.
  package var isOverfull: Bool { count > ListInner.maximumCount }

  @inlinable
  func offset(_ index: Int) -> Int { ListNode.headerBytes + index * ListInnerEntry.byteCount }

  /// The child at `index`; setting replaces it.
  ///
  /// - Precondition: `index` is in range.
  @inlinable
  package subscript(index: Int) -> ListInnerEntry {
    get {
      precondition(index >= 0 && index < count, "Index out of range")
      return ListInnerEntry(unchecked: storage.base + offset(index))
    }
    set {
      precondition(index >= 0 && index < count, "Index out of range")
      newValue.store(to: storage.base + offset(index))
    }
  }

  /// How many elements lie below the node.
  package var totalCount: Int {
    ListInnerEntry.totalCount(storage.base + ListNode.headerBytes, entries: count)
  }

  /// The child below which the element at `position` lies, and its position there; nil if there is
  /// none.
  package func find(_ position: Int) -> (entry: Int, position: Int)? {
    ListInnerEntry.find(position, storage.base + ListNode.headerBytes, entries: count)
  }

  package func append(_ entry: ListInnerEntry) { insert(entry, at: count) }

  /// Inserts a child before the one at `index`, or at the end.
  package func insert(_ entry: ListInnerEntry, at index: Int) {
    open(1, at: index)
    entry.store(to: storage.base + offset(index))
  }

  /// Inserts some children of another node.
  ///
  /// - Precondition: `other` is another buffer.
  package func insert(from other: ListInnerBuffer, _ range: Range<Int>, at index: Int) {
    precondition(other !== self && range.upperBound <= other.count, "Range out of bounds")
    open(range.count, at: index)
    (storage.base + offset(index)).copyMemory(
      from: other.storage.base + offset(range.lowerBound),
      byteCount: range.count * ListInnerEntry.byteCount)
  }

  /// Makes room for `number` children before the one at `index`.
  private func open(_ number: Int, at index: Int) {
    precondition(index >= 0 && index <= count, "Index out of range")
    storage.reserve(offset(count + number), keeping: offset(count))
    (storage.base + offset(index + number)).copyMemory(
      from: storage.base + offset(index), byteCount: offset(count) - offset(index))
    count += number
  }

  package func remove(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "Range out of bounds")
    (storage.base + offset(range.lowerBound)).copyMemory(
      from: storage.base + offset(range.upperBound),
      byteCount: offset(count) - offset(range.upperBound))
    count -= range.count
  }

  /// Moves the children from `index` on into `right`, which loses what it had.
  package func split(at index: Int, into right: ListInnerBuffer) {
    right.removeAll()
    right.insert(from: self, index..<count, at: 0)
    count = index
  }

  /// Splits in two halves; the right one gets the odd child.
  package func splitInMiddle(into right: ListInnerBuffer) { split(at: count / 2, into: right) }

  /// Splits so that this node stays as full as it may be: for a list that grows at its end.
  package func splitKeepingLeftFull(into right: ListInnerBuffer) {
    split(at: min(count, ListInner.maximumCount), into: right)
  }

  /// Appends the children of `right`, which keeps them.
  package func merge(_ right: ListInnerBuffer) {
    insert(from: right, 0..<right.count, at: count)
  }

  /// Completes the node: header, checksum.
  ///
  /// - Returns: the bytes, valid until the buffer is changed or released. A buffer that nothing else
  ///   keeps may be released at once: use ``finish(_:)`` then.
  /// - Precondition: it is not overfull.
  package func finish() -> UnsafeRawBufferPointer {
    ListNode.seal(
      storage.base, kind: ListNode.innerKind, format: 0, count: count, byteCount: byteCount)
  }

  /// Completes the node and lends its bytes.
  package func finish<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    defer { withExtendedLifetime(self) {} }
    return try body(finish())
  }
}
