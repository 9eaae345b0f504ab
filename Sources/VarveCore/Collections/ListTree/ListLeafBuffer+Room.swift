import VarveEncoding

// Editing a leaf by raw bits, as far as it has room.

extension ListLeafBuffer {
  /// Returns the number of bytes of a node that an element takes.
  func cost(ofElement byteCount: Int) -> Int {
    // A variable element has a two-byte entry in the table of ends.
    format.isPacked ? format.stride : byteCount + 2
  }

  /// The number of free bytes in the node.
  var room: Int { ListNode.maximumBytes - byteCount }

  /// Returns the raw bits of a packed element of at most 8 bytes, extended to 64 bits; nil for
  /// null.
  func bits(at index: Int, _ shape: PackedShape) -> UInt64? {
    if shape.width == 8, !shape.isNullable { return bits64(at: index) }
    guard shape.stride > 0, !isNull(at: index), let value = bytes(at: index).baseAddress else {
      return nil
    }
    return shape.load(value)
  }

  /// Returns the bytes of an element; nil for a fixed-width null.
  func element(at index: Int) -> UnsafeRawBufferPointer? {
    if format.isPacked, format.isNullable, isNull(at: index) { return nil }
    return bytes(at: index)
  }

  /// Calls a closure with the bytes of raw bits, truncated to the width of the format.
  func withBytes<Result>(
    ofBits bits: UInt64?, _ body: (UnsafeRawBufferPointer?) -> Result
  ) -> Result {
    guard let bits else { return body(nil) }
    // Little-endian: the low bytes come first.
    return withUnsafeBytes(of: bits.littleEndian) {
      body(UnsafeRawBufferPointer(rebasing: $0[..<min(format.width, 8)]))
    }
  }

  /// Inserts an element of at most 8 bytes, unless fewer than `reserve` bytes would be left free;
  /// nil is null.
  func insertIfRoom(bits: UInt64?, at index: Int, reserve: Int = 0) -> Bool {
    withBytes(ofBits: bits) { insertIfRoom(bytes: $0, at: index, reserve: reserve) }
  }

  /// Inserts an element, unless fewer than `reserve` bytes would be left free; nil is null.
  func insertIfRoom(
    bytes: UnsafeRawBufferPointer?, at index: Int, reserve: Int = 0
  ) -> Bool {
    guard room - reserve >= cost(ofElement: bytes?.count ?? 1) else { return false }
    insert(bytes: bytes, at: index)
    return true
  }

  /// Removes the elements whose bits match, from an index on; nulls stay.
  ///
  /// - Returns: The number of removed elements.
  func removeAll(
    from start: Int, _ shape: PackedShape, where matching: (UInt64) -> Bool
  ) -> Int {
    let before = count
    // From the end, so that the elements still to be checked keep their indexes.
    var index = count
    while index > start {
      let upper = index
      while index > start, let bits = bits(at: index - 1, shape), matching(bits) { index -= 1 }
      if index < upper { remove(index..<upper) } else { index -= 1 }
    }
    return before - count
  }

  /// The index at which to cut the leaf so that the two parts differ in length as little as
  /// possible.
  ///
  /// - Precondition: there are at least two elements.
  var middle: Int {
    let half = byteCount / 2
    var index = firstIndex(past: half)
    if byteCount(ofFirst: index) - half > half - byteCount(ofFirst: index - 1) { index -= 1 }
    return min(max(index, 1), count - 1)
  }

  /// Returns the least number of elements that make a node of at least the given length, or all
  /// elements.
  func firstIndex(past bytes: Int) -> Int {
    var lower = 0
    var upper = count
    while lower < upper {
      let index = (lower + upper) / 2
      if byteCount(ofFirst: index) < bytes { lower = index + 1 } else { upper = index }
    }
    return lower
  }
}
