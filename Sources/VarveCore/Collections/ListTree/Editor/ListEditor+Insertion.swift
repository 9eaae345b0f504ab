import VarveEncoding
package import VarveStorage

extension ListEditor {
  /// The maximum number of elements, limited by the counts of the format. One leaf's worth is
  /// reserved so that appending need not check it.
  static let maximumCount = Int(UInt32.max) - ListNode.maximumBytes

  /// The bytes that appended elements leave free in a leaf. Without them the first insertion into
  /// each leaf of a list that was built by appending would split it.
  static let appendReserve = 64

  /// The longest element of variable length; longer values are blobs.
  package static let maximumElementBytes = 520

  // MARK: - Appending

  /// Appends an element of at most 8 bytes; nil is null.
  ///
  /// - Throws: The engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: amortized O(1).
  /// - Precondition: the format is packed with at most 8 bytes, and nullable for nil.
  package func append(bits: UInt64?) throws(StorageError) {
    if let openTail, let bits, format.width == 8, openTailRoom >= format.stride {
      openTail.append(bits64: bits)
      openTailRoom -= format.stride
      count += 1
      fingerDelta += 1
      return
    }
    try insert(bits: bits, at: count)
  }

  /// Appends an element given as its bytes; nil is null.
  ///
  /// - Throws: The engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: amortized O(1).
  /// - Precondition: see `insert(bytes:at:)`.
  package func append(bytes: UnsafeRawBufferPointer?) throws(StorageError) {
    if let openTail {
      let cost = openTail.cost(ofElement: bytes?.count ?? 1)
      if openTailRoom >= cost {
        openTail.insert(bytes: bytes, at: openTail.count)
        openTailRoom -= cost
        count += 1
        fingerDelta += 1
        return
      }
    }
    try insert(bytes: bytes, at: count)
  }

  // MARK: - Inserting

  /// Inserts an element of at most 8 bytes before the element at an index; nil is null.
  ///
  /// - Throws: The engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(log n), O(1) next to the last change.
  /// - Precondition: the index is within bounds or the count; the format is packed with at most 8
  ///   bytes, and nullable for nil.
  package func insert(bits: UInt64?, at index: Int) throws(StorageError) {
    try insert(1, at: index, byteCount: format.stride) { leaf, _, offset, reserve in
      leaf.insertIfRoom(bits: bits, at: offset, reserve: reserve)
    }
  }

  /// Inserts an element given as its bytes before the element at an index; nil is null.
  ///
  /// - Throws: The engine's error, `.corrupted` for damaged nodes, or `.valueTooLong` for more than
  ///   `maximumElementBytes`.
  /// - Complexity: O(log n), O(1) next to the last change.
  /// - Precondition: the index is within bounds or the count; the number of bytes is a packed
  ///   format's width, or the bytes are an element codec's value.
  package func insert(bytes: UnsafeRawBufferPointer?, at index: Int) throws(StorageError) {
    try checkLength(bytes?.count ?? 1)
    try insert(1, at: index, byteCount: bytes?.count ?? 1) { leaf, _, offset, reserve in
      leaf.insertIfRoom(bytes: bytes, at: offset, reserve: reserve)
    }
  }

  func checkLength(_ byteCount: Int) throws(StorageError) {
    guard byteCount <= Self.maximumElementBytes else {
      throw StorageError(.valueTooLong, "A list's element is too long.")
    }
  }

  /// Inserts elements of at most 8 bytes before the element at an index; nils are nulls.
  ///
  /// - Throws: The engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(log n + new elements).
  /// - Precondition: see `insert(bits:at:)`.
  package func insert(contentsOf bits: [UInt64?], at index: Int) throws(StorageError) {
    try insert(bits.count, at: index, byteCount: bits.count * format.stride) {
      leaf, element, offset, reserve in
      leaf.insertIfRoom(bits: bits[element], at: offset, reserve: reserve)
    }
  }

  /// Inserts elements given as their consecutive bytes before the element at an index.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of all the elements. An element can be null only through its codec.
  ///   - ends: The end offset of each element in `bytes`, ascending.
  ///   - index: The index of the element before which they are inserted, or the count.
  /// - Throws: The engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(log n + new elements).
  /// - Precondition: see `insert(bytes:at:)`.
  package func insert(
    contentsOf bytes: UnsafeRawBufferPointer, ends: [Int], at index: Int
  ) throws(StorageError) {
    var start = 0
    for end in ends {
      try checkLength(end - start)
      start = end
    }
    try insert(ends.count, at: index, byteCount: bytes.count) {
      leaf, element, offset, reserve in
      let start = element == 0 ? 0 : ends[element - 1]
      return leaf.insertIfRoom(
        bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<ends[element]]), at: offset,
        reserve: reserve)
    }
  }

  /// Inserts elements one after the other, and splits leaves as needed.
  ///
  /// - Parameters:
  ///   - new: The number of elements.
  ///   - index: The index of the first new element.
  ///   - byteCount: The number of bytes of all new elements.
  ///   - put: Inserts one of the new elements at an index in a leaf; returns false if fewer than
  ///     `reserve` bytes would be left free.
  /// - Throws: The engine's error, or `.corrupted` for damaged nodes.
  private func insert(
    _ new: Int, at index: Int, byteCount: Int,
    put: (ListLeafBuffer, _ element: Int, _ offset: Int, _ reserve: Int) -> Bool
  ) throws(StorageError) {
    precondition(index >= 0 && index <= count, "List index is out of bounds.")
    guard new <= Self.maximumCount - count else {
      throw StorageError(.valueTooLong, "A list cannot contain more elements.")
    }
    let reserve = index == count ? Self.appendReserve : 0
    var done = 0
    while done < new {
      let location = try leafForChange(index + done, isInsertion: true)
      var offset = location.offset
      // A bulk insertion before other elements cuts the leaf there, instead of moving the others
      // for every element.
      let isBulk = byteCount - byteCount / new * done > ListNode.maximumBytes / 2
      if !(isBulk && offset < location.leaf.count) {
        while done < new, put(location.leaf, done, offset, reserve) {
          done += 1
          offset += 1
        }
        noteShift(by: offset - location.offset)
      }
      if done < new {
        try makeRoom(
          in: location.node, at: offset, incoming: byteCount - byteCount / new * done)
      }
    }
    if new > 1, index + new < count {
      dropFinger()
      try rebalance(around: index + new)
    } else if index + new == count, let finger, isLast(finger) {
      openTail = finger.leaf
      openTailRoom = (finger.leaf?.room ?? 0) - Self.appendReserve
    }
  }
}
