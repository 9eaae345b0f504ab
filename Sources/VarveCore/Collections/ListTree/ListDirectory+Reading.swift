public import Synchronization
package import VarveEncoding
import VarveStorage

extension ListDirectory {
  /// Returns the raw bits of an element of at most 8 bytes: integers are sign-extended, other
  /// values are zero-extended.
  ///
  /// - Returns: The bits; nil for null, for an index out of bounds, and for a damaged list.
  /// - Complexity: O(1) once the leaf was read; before that one lookup per level.
  @inlinable
  package func bits(at index: Int) -> UInt64? {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return nil }
    if let rootAddress { return shape.bits(rootAddress, at: index) }
    if let table = table.load(ordering: .acquiring) {
      let leaf = table.pointee.leaves + table.pointee.leaf(of: index)
      let address = leaf.pointee.address.load(ordering: .acquiring)
      // The addresses of variable leaves are not usable here.
      if address != ListLeafTable.damaged, shape.stride > 0,
        let node = UnsafeRawPointer(bitPattern: address)
      {
        return shape.bits(node + shape.first, at: index - Int(leaf.pointee.start))
      }
    }
    return coldBits(at: index)
  }

  /// Returns the bits of an element whose leaf has not been read yet.
  @usableFromInline
  func coldBits(at index: Int) -> UInt64? {
    guard let span = span(of: index), let leaf = span.leaf else { return nil }
    return leaf.bits(at: index - span.start, shape)
  }

  /// Returns the bytes of an element: fixed-width bytes, or the element codec's.
  ///
  /// - Returns: The bytes, valid for the life of the snapshot; nil for a fixed-width null, for an
  ///   index out of bounds, and for a damaged list.
  /// - Complexity: See `bits(at:)`.
  package func bytes(at index: Int) -> UnsafeRawBufferPointer? {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return nil }
    if let rootLeaf { return rootLeaf.element(at: index) }
    guard let span = span(of: index), let leaf = span.leaf else { return nil }
    return leaf.element(at: index - span.start)
  }

  /// A leaf and the indexes of its elements; without a leaf if the list is damaged.
  package struct LeafSpan {
    package let leaf: ListLeaf?
    package let start: Int
    package let end: Int
  }

  /// Returns the leaf of an element, looked up from the root or in the table.
  ///
  /// - Returns: The leaf and its range; nil if an inner node is damaged.
  package func span(of index: Int) -> LeafSpan? {
    if let rootLeaf { return LeafSpan(leaf: rootLeaf, start: 0, end: count) }
    if let table = table.load(ordering: .acquiring) { return span(of: index, in: table) }
    if coldReads.wrappingAdd(1, ordering: .relaxed).oldValue >= coldReadLimit,
      let table = publishedTable()
    {
      return span(of: index, in: table)
    }
    return spanFromRoot(of: index)
  }

  private func span(of index: Int, in table: UnsafePointer<ListLeafTable>) -> LeafSpan {
    let position = table.pointee.leaf(of: index)
    let kept = table.pointee.leaves + position
    let start = Int(kept.pointee.start)
    let end = Int((kept + 1).pointee.start)
    let address = kept.pointee.address.load(ordering: .acquiring)
    if address == ListLeafTable.damaged { return LeafSpan(leaf: nil, start: start, end: end) }
    if let base = UnsafeRawPointer(bitPattern: address) {
      let length = kept.pointee.length.load(ordering: .relaxed)
      let bytes = UnsafeRawBufferPointer(start: base, count: Int(length))
      // It passed validation before and cannot have changed since. The view itself is not cached
      // because of its size.
      let leaf = try? ListLeaf(validating: bytes, format: format)
      return LeafSpan(leaf: leaf, start: start, end: end)
    }
    guard let bytes = leafBytes(table.pointee.nodeIDs[position], count: end - start) else {
      kept.pointee.address.store(ListLeafTable.damaged, ordering: .releasing)
      return LeafSpan(leaf: nil, start: start, end: end)
    }
    kept.pointee.length.store(UInt32(clamping: bytes.count), ordering: .relaxed)
    kept.pointee.address.store(UInt(bitPattern: bytes.baseAddress), ordering: .releasing)
    let leaf = try? ListLeaf(validating: bytes, format: format)
    return LeafSpan(leaf: leaf, start: start, end: end)
  }

  /// Creates and publishes the table, unless another thread was faster.
  ///
  /// - Returns: The published table; nil if the inner nodes are damaged.
  private func publishedTable() -> UnsafePointer<ListLeafTable>? {
    guard let new = ListLeafTable.read(listID, snapshot, elementCount: count) else {
      Self.noteDamage(snapshot, "A list's inner node is damaged.")
      return nil
    }
    let pointer = UnsafeMutablePointer<ListLeafTable>.allocate(capacity: 1)
    pointer.initialize(to: new)
    let (won, current) = table.compareExchange(
      expected: nil, desired: UnsafePointer(pointer), ordering: .acquiringAndReleasing)
    if won { return UnsafePointer(pointer) }
    Self.destroy(pointer)
    return current
  }

  private func spanFromRoot(of index: Int) -> LeafSpan? {
    var nodeID = ListNodeKey.root
    var start = 0
    var expected = count
    for _ in 0...ListEditor.maximumLevels {
      guard let bytes = bytes(ofNode: nodeID), let kind = try? ListNode.kind(of: bytes) else {
        return damaged()
      }
      if kind == .leaf {
        guard let leaf = try? ListLeaf(validating: bytes, format: format), leaf.count == expected
        else { return damaged() }
        return LeafSpan(leaf: leaf, start: start, end: start + expected)
      }
      guard let inner = try? ListInner(validating: bytes),
        let found = inner.find(index - start)
      else { return damaged() }
      let entry = inner.child(at: found.entry)
      start = index - found.position
      nodeID = entry.nodeID
      expected = Int(entry.count)
    }
    return damaged()
  }

  private func damaged() -> LeafSpan? {
    Self.noteDamage(snapshot, "A list's node is damaged.")
    return nil
  }

  private func bytes(ofNode nodeID: UInt64) -> UnsafeRawBufferPointer? {
    ListNodeKey(listID: listID, nodeID: nodeID).withBytes { snapshot.find(.lists, key: $0) }
  }

  /// Returns the bytes of a leaf if its count equals the count in its parent.
  private func leafBytes(_ nodeID: UInt64, count: Int) -> UnsafeRawBufferPointer? {
    guard let bytes = bytes(ofNode: nodeID),
      let leaf = try? ListLeaf(validating: bytes, format: format), leaf.count == count
    else {
      Self.noteDamage(snapshot, "A list's leaf is damaged.")
      return nil
    }
    return bytes
  }
}
