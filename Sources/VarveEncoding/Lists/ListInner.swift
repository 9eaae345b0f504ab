/// One entry of an inner node: a child and a summary of its subtree.
@usableFromInline
package struct ListInnerEntry: Hashable, Sendable {
  @usableFromInline package var nodeID: UInt64
  /// The version of the last change below the child.
  @usableFromInline package var stamp: UInt64
  /// The number of elements below the child.
  @usableFromInline package var count: UInt32

  @usableFromInline package static let byteCount = 20

  @inlinable
  package init(nodeID: UInt64, stamp: UInt64, count: UInt32) {
    self.nodeID = nodeID
    self.stamp = stamp
    self.count = count
  }

  @inlinable
  init(unchecked source: UnsafeRawPointer) {
    nodeID = source.uint64(at: 0)
    stamp = source.uint64(at: 8)
    count = source.uint32(at: 16)
  }

  @inlinable
  func store(to target: UnsafeMutableRawPointer) {
    target.store(nodeID, at: 0)
    target.store(stamp, at: 8)
    target.store(count, at: 16)
  }
}

/// A view of the bytes of an inner node: some children of a list tree, in order.
///
/// The bytes belong to the caller and must outlive the view.
@usableFromInline
package struct ListInner {
  @usableFromInline let base: UnsafeRawPointer
  /// The number of children.
  @usableFromInline package let count: Int

  /// The maximum number of children of a node.
  package static let maximumCount =
    (ListNode.maximumBytes - ListNode.headerBytes) / ListInnerEntry.byteCount

  /// Checks the header against the bytes.
  ///
  /// - Throws: `truncated`, `badTag` or `badLength`.
  /// - Complexity: O(1).
  package init(validating bytes: UnsafeRawBufferPointer) throws(FormatError) {
    base = try ListNode.validate(bytes, kind: .inner, format: 0)
    count = Int(base.uint16(at: ListNode.countOffset))
    let size = ListNode.headerBytes + count * ListInnerEntry.byteCount
    guard size == bytes.count else {
      throw FormatError(
        .badLength, "a list node has another length than its children", expected: UInt64(size),
        found: UInt64(bytes.count))
    }
  }

  /// Returns the child at `index`.
  ///
  /// - Precondition: `index` is in range.
  @inlinable
  package func child(at index: Int) -> ListInnerEntry {
    precondition(index >= 0 && index < count, "Index out of range")
    return ListInnerEntry(
      unchecked: base + ListNode.headerBytes + index * ListInnerEntry.byteCount)
  }

  /// The number of elements below the node.
  ///
  /// - Complexity: O(n), a hundred additions at most.
  @inlinable
  package var totalCount: Int {
    var total = 0
    for index in 0..<count { total += Int(below(index)) }
    return total
  }

  /// Finds the child that contains the element at `position`, and the position of the element in
  /// it.
  ///
  /// - Returns: nil if there is no such element. An element's position is below the sum of the
  ///   counts.
  /// - Complexity: O(n), a hundred additions at most.
  @inlinable
  package func find(_ position: Int) -> (entry: Int, position: Int)? {
    var rest = position
    guard rest >= 0 else { return nil }
    for index in 0..<count {
      let below = Int(below(index))
      if rest < below { return (index, rest) }
      rest -= below
    }
    return nil
  }

  /// Returns the number of elements below a child.
  @inlinable @inline(__always)
  func below(_ index: Int) -> UInt32 {
    base.uint32(at: ListNode.headerBytes + index * ListInnerEntry.byteCount + 16)
  }
}
