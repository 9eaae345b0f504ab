import VarveEncoding
package import VarveStorage

extension ListEditor {
  /// Replaces an element of at most 8 bytes; nil is null. An equal value is no change.
  ///
  /// - Returns: whether the element was another one.
  /// - Throws: the engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(log n), O(1) beside the last change.
  /// - Precondition: the index is within bounds; the format is packed with at most 8 bytes, and
  ///   nullable for nil.
  @discardableResult
  package func replace(at index: Int, bits: UInt64?) throws(StorageError) -> Bool {
    precondition(index >= 0 && index < count, "List index is out of bounds.")
    let old = self.bits(at: index)
    try checkReading()
    if old == bits { return false }
    let place = try leafForChange(index, isInsertion: false)
    place.leaf.withBytes(ofBits: bits) { place.leaf.replace(bytes: $0, at: place.offset) }
    return true
  }

  /// Replaces an element given as its bytes; nil is null. Equal bytes are no change.
  ///
  /// - Returns: whether the element was another one.
  /// - Throws: the engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(log n), O(1) beside the last change.
  /// - Precondition: the index is within bounds; the bytes are as `insert(bytes:at:)` wants them.
  @discardableResult
  package func replace(
    at index: Int, bytes: UnsafeRawBufferPointer?
  ) throws(StorageError) -> Bool {
    precondition(index >= 0 && index < count, "List index is out of bounds.")
    try checkLength(bytes?.count ?? 1)
    let old = self.bytes(at: index)
    try checkReading()
    if isSame(old, bytes) { return false }
    let growth = format.isPacked ? 0 : (bytes?.count ?? 1) - (old?.count ?? 0)
    var place = try leafForChange(index, isInsertion: false)
    while place.leaf.room < growth {
      try makeRoom(in: place.node, at: place.offset, incoming: 0)
      place = try leafForChange(index, isInsertion: false)
    }
    place.leaf.replace(bytes: bytes, at: place.offset)
    // A shorter value can leave the leaf small.
    if place.leaf.byteCount < Self.minimumLeafBytes, !isLast(place.node) {
      dropFinger()
      try rebalance(place.node)
      try collapseRoot()
    }
    return true
  }

  private func isSame(_ a: UnsafeRawBufferPointer?, _ b: UnsafeRawBufferPointer?) -> Bool {
    switch (a, b) {
    case (nil, nil): true
    case (let a?, let b?): ByteOrder.areEqual(a, b)
    default: false
    }
  }

  /// Tells a read that gave nil for want of the leaf from one that found null.
  func checkReading() throws(StorageError) {
    try checkUsable()
    if let failure = transaction.failure, !isInMemoryOnly { throw failure }
  }
}
