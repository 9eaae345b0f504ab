import VarveEncoding

// Editing a leaf by raw bits, and only as far as it has room.

extension ListLeafBuffer {
  /// The bytes of a node that an element of so many bytes takes.
  func cost(ofElement byteCount: Int) -> Int {
    // A variable element has an entry of two bytes in the table of ends.
    format.isPacked ? format.stride : byteCount + 2
  }

  /// The bytes that are left in the node.
  var room: Int { ListNode.maximumBytes - byteCount }

  /// The raw bits of a packed element of at most 8 bytes, widened; nil for null.
  func bits(at index: Int, _ shape: PackedShape) -> UInt64? {
    if shape.width == 8, !shape.isNullable { return bits64(at: index) }
    guard shape.stride > 0, !isNull(at: index), let value = bytes(at: index).baseAddress else {
      return nil
    }
    return shape.load(value)
  }

  /// The bytes of an element; nil for a null of a fixed width.
  func element(at index: Int) -> UnsafeRawBufferPointer? {
    if format.isPacked, format.isNullable, isNull(at: index) { return nil }
    return bytes(at: index)
  }

  /// Lends the bytes of raw bits, cut to the width of the format.
  func withBytes<Result>(
    ofBits bits: UInt64?, _ body: (UnsafeRawBufferPointer?) -> Result
  ) -> Result {
    guard let bits else { return body(nil) }
    // Little-endian: the low bytes come first.
    return withUnsafeBytes(of: bits.littleEndian) {
      body(UnsafeRawBufferPointer(rebasing: $0[..<min(format.width, 8)]))
    }
  }

  /// Inserts an element of at most 8 bytes, unless the node would get too long; nil is null.
  func insertIfRoom(bits: UInt64?, at index: Int) -> Bool {
    withBytes(ofBits: bits) { insertIfRoom(bytes: $0, at: index) }
  }

  /// Inserts an element, unless the node would get too long; nil is null.
  func insertIfRoom(bytes: UnsafeRawBufferPointer?, at index: Int) -> Bool {
    guard room >= cost(ofElement: bytes?.count ?? 1) else { return false }
    insert(bytes: bytes, at: index)
    return true
  }

  /// Removes the elements whose bits match, from an index on; nulls stay.
  ///
  /// - Returns: how many were removed.
  func removeAll(
    from start: Int, _ shape: PackedShape, where matching: (UInt64) -> Bool
  ) -> Int {
    let before = count
    // From the end, so that what is still to be looked at keeps its place.
    var index = count
    while index > start {
      let upper = index
      while index > start, let bits = bits(at: index - 1, shape), matching(bits) { index -= 1 }
      if index < upper { remove(index..<upper) } else { index -= 1 }
    }
    return before - count
  }

  /// Where to cut the leaf so that the two parts differ in length as little as possible.
  ///
  /// - Precondition: there are two elements at least.
  var middle: Int {
    let half = byteCount / 2
    var index = firstIndex(past: half)
    if byteCount(ofFirst: index) - half > half - byteCount(ofFirst: index - 1) { index -= 1 }
    return min(max(index, 1), count - 1)
  }

  /// The least number of elements that make a node of at least so many bytes; at most all.
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
