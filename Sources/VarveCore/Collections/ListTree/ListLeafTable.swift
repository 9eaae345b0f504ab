public import Synchronization
import VarveEncoding
import VarveStorage

/// The first index of each leaf of a list, and the addresses of the leaves that were read.
///
/// Thread safety: immutable after it is published, except for the leaves' addresses, which are
/// atomic; two threads that resolve the same leaf store the same address.
@usableFromInline
package struct ListLeafTable {
  /// The data of one leaf, stored together so that a read touches one cache line for it.
  @usableFromInline
  package struct Leaf: ~Copyable {
    /// The index of the leaf's first element.
    @usableFromInline package let start: UInt32
    /// The length of the leaf's bytes; stored before the address.
    @usableFromInline package let length = Atomic<UInt32>(0)
    /// The address of the leaf's bytes, or one of the markers `unresolved` and `damaged`.
    @usableFromInline package let address = Atomic<UInt>(ListLeafTable.unresolved)

    init(start: Int) { self.start = UInt32(truncatingIfNeeded: start) }
  }

  @usableFromInline package let leafCount: Int
  /// The size of a bucket, chosen so that it contains the border of one or two leaves.
  @usableFromInline package let bucketShift: Int
  /// The leaf in which each bucket begins.
  @usableFromInline package let buckets: UnsafeMutablePointer<UInt32>
  /// The leaves, plus one that begins at the list's end.
  @usableFromInline package let leaves: UnsafeMutablePointer<Leaf>
  @usableFromInline package let nodeIDs: UnsafeMutablePointer<UInt64>

  @inlinable package static var unresolved: UInt { 0 }
  @inlinable package static var damaged: UInt { 1 }

  /// Creates a table of leaves in memory of its own.
  ///
  /// - Parameters:
  ///   - entries: Every leaf's node id and element count, in order. Each count is greater than 0,
  ///     and their sum is at most `UInt32.max`.
  ///   - elementCount: The sum of the counts.
  /// - Complexity: O(leaves).
  init(_ entries: [(nodeID: UInt64, count: Int)], elementCount: Int) {
    leafCount = entries.count
    // The greatest power of two that is not greater than the average leaf.
    let average = max(elementCount / max(entries.count, 1), 1)
    bucketShift = Int.bitWidth - 1 - average.leadingZeroBitCount
    nodeIDs = .allocate(capacity: entries.count)
    leaves = .allocate(capacity: entries.count + 1)
    let bucketCount = elementCount >> bucketShift + 1
    buckets = .allocate(capacity: bucketCount)
    buckets.initialize(repeating: 0, count: bucketCount)
    var start = 0
    var bucket = 0
    for (index, entry) in entries.enumerated() {
      (leaves + index).initialize(to: Leaf(start: start))
      (nodeIDs + index).initialize(to: entry.nodeID)
      start += entry.count
      while bucket < bucketCount, bucket << bucketShift < start {
        buckets[bucket] = UInt32(truncatingIfNeeded: index)
        bucket += 1
      }
    }
    (leaves + entries.count).initialize(to: Leaf(start: start))
  }

  /// Frees the parts of a table.
  func deallocate() {
    buckets.deallocate()
    nodeIDs.deallocate()
    leaves.deinitialize(count: leafCount + 1)
    leaves.deallocate()
  }

  /// Returns the leaf that contains an element.
  ///
  /// - Parameter index: An index within the list's bounds.
  /// - Returns: The leaf's index in `leaves`.
  /// - Complexity: O(1) on average.
  @inlinable @inline(__always)
  package func leaf(of index: Int) -> Int {
    var leaf = Int(buckets[index >> bucketShift])
    while Int(leaves[leaf + 1].start) <= index { leaf += 1 }
    return leaf
  }
}

extension ListLeafTable {
  /// Reads the inner nodes of a list.
  ///
  /// - Returns: The table; nil if an inner node is damaged.
  /// - Complexity: O(inner nodes) lookups; only the first leaf is read.
  static func read(
    _ listID: UInt64, _ snapshot: Snapshot, elementCount: Int
  ) -> ListLeafTable? {
    guard elementCount <= Int(UInt32.max) else { return nil }
    var reader = InnerReader(listID: listID, snapshot: snapshot)
    guard
      reader.gather(
        below: ListNodeKey.root, count: elementCount, level: ListEditor.maximumLevels)
    else { return nil }
    return ListLeafTable(reader.leaves, elementCount: elementCount)
  }

  /// Collects the leaves' entries from the inner nodes.
  private struct InnerReader {
    let listID: UInt64
    let snapshot: Snapshot
    let nodeLimit: Int
    var leaves: [(nodeID: UInt64, count: Int)] = []

    init(listID: UInt64, snapshot: Snapshot) {
      self.listID = listID
      self.snapshot = snapshot
      nodeLimit = snapshot.count(.lists)
    }

    /// Collects the leaves below an inner node.
    ///
    /// - Parameters:
    ///   - nodeID: The inner node.
    ///   - count: The number of elements that must be below the node.
    ///   - level: The level of the node. It reaches 0 only in a damaged tree.
    /// - Returns: false if a node is damaged.
    mutating func gather(below nodeID: UInt64, count: Int, level: Int) -> Bool {
      guard level > 0, let inner = inner(nodeID), inner.count > 0 else { return false }
      // All children are of one kind: the first one determines whether they need to be read.
      guard let kind = kind(inner.child(at: 0).nodeID) else { return false }
      var sum = 0
      for index in 0..<inner.count {
        let entry = inner.child(at: index)
        guard entry.count > 0 else { return false }
        sum += Int(entry.count)
        // Checked before descending, so that damage cannot make the walk longer than the list.
        guard sum <= count else { return false }
        if kind == .leaf {
          // More leaves than nodes: several entries refer to the same node.
          guard leaves.count < nodeLimit else { return false }
          leaves.append((entry.nodeID, Int(entry.count)))
        } else if !gather(below: entry.nodeID, count: Int(entry.count), level: level - 1) {
          return false
        }
      }
      return sum == count
    }

    private func bytes(_ nodeID: UInt64) -> UnsafeRawBufferPointer? {
      ListNodeKey(listID: listID, nodeID: nodeID).withBytes { snapshot.find(.lists, key: $0) }
    }

    private func kind(_ nodeID: UInt64) -> ListNode.Kind? {
      bytes(nodeID).flatMap { try? ListNode.kind(of: $0) }
    }

    private func inner(_ nodeID: UInt64) -> ListInner? {
      guard let bytes = bytes(nodeID) else { return nil }
      return try? ListInner(validating: bytes)
    }
  }
}
