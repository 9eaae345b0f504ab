import VarveEncoding
package import VarveStorage

extension ListEditor {
  /// Replaces an element of at most 8 bytes; nil is null. An equal value is not a change.
  ///
  /// - Returns: Whether the element changed.
  /// - Throws: The engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(log n), O(1) next to the last change.
  /// - Precondition: the index is within bounds; the format is packed with at most 8 bytes, and
  ///   nullable for nil.
  @discardableResult
  package func replace(at index: Int, bits: UInt64?) throws(StorageError) -> Bool {
    precondition(index >= 0 && index < count, "List index is out of bounds.")
    let old = self.bits(at: index)
    try checkReading()
    if old == bits { return false }
    let location = try leafForChange(index, isInsertion: false)
    location.leaf.withBytes(ofBits: bits) { location.leaf.replace(bytes: $0, at: location.offset) }
    return true
  }

  /// Replaces an element given as its bytes; nil is null. Equal bytes are not a change.
  ///
  /// - Returns: Whether the element changed.
  /// - Throws: The engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(log n), O(1) next to the last change.
  /// - Precondition: the index is within bounds; for the bytes see `insert(bytes:at:)`.
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
    var location = try leafForChange(index, isInsertion: false)
    while location.leaf.room < growth {
      try makeRoom(in: location.node, at: location.offset, incoming: 0)
      location = try leafForChange(index, isInsertion: false)
    }
    location.leaf.replace(bytes: bytes, at: location.offset)
    // A shorter value can leave the leaf small.
    if location.leaf.byteCount < Self.minimumLeafBytes, !isLast(location.node) {
      dropFinger()
      try rebalance(location.node)
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

  /// Throws the error of a failed read, so that a nil from a read is known to be a null.
  func checkReading() throws(StorageError) {
    try checkUsable()
    if let failure = transaction.failure, !isInMemoryOnly { throw failure }
  }
}
