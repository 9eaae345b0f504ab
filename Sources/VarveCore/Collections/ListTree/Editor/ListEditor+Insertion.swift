import VarveEncoding
package import VarveStorage

extension ListEditor {
  /// More elements than this do not fit in the counts of the format; a leaf's worth is kept back
  /// so that appending need not look.
  static let maximumCount = Int(UInt32.max) - ListNode.maximumBytes

  /// The longest element of variable length; longer values are blobs.
  package static let maximumElementBytes = 520

  // MARK: - Appending

  /// Appends an element of at most 8 bytes; nil is null.
  ///
  /// - Throws: the engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: amortised O(1).
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
  /// - Throws: the engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: amortised O(1).
  /// - Precondition: as `insert(bytes:at:)`.
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

  /// Inserts an element of at most 8 bytes before the one at an index; nil is null.
  ///
  /// - Throws: the engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(log n), O(1) beside the last change.
  /// - Precondition: the index is within bounds or the count; the format is packed with at most
  ///   8 bytes, and nullable for nil.
  package func insert(bits: UInt64?, at index: Int) throws(StorageError) {
    try insert(1, at: index, byteCount: format.stride) { leaf, _, offset in
      leaf.insertIfRoom(bits: bits, at: offset)
    }
  }

  /// Inserts an element given as its bytes before the one at an index; nil is null.
  ///
  /// - Throws: the engine's error, `.corrupted` for damaged nodes, or `.valueTooLong` for more than
  ///   `maximumElementBytes`.
  /// - Complexity: O(log n), O(1) beside the last change.
  /// - Precondition: the index is within bounds or the count; the bytes are as many as a packed
  ///   format's width, or an element codec's value.
  package func insert(bytes: UnsafeRawBufferPointer?, at index: Int) throws(StorageError) {
    try checkLength(bytes?.count ?? 1)
    try insert(1, at: index, byteCount: bytes?.count ?? 1) { leaf, _, offset in
      leaf.insertIfRoom(bytes: bytes, at: offset)
    }
  }

  func checkLength(_ byteCount: Int) throws(StorageError) {
    guard byteCount <= Self.maximumElementBytes else {
      throw StorageError(.valueTooLong, "A list's element is too long.")
    }
  }

  /// Inserts elements of at most 8 bytes before the one at an index; nils are nulls.
  ///
  /// - Throws: the engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(log n + new elements).
  /// - Precondition: as `insert(bits:at:)`.
  package func insert(contentsOf bits: [UInt64?], at index: Int) throws(StorageError) {
    try insert(bits.count, at: index, byteCount: bits.count * format.stride) {
      leaf, element, offset in
      leaf.insertIfRoom(bits: bits[element], at: offset)
    }
  }

  /// Inserts elements given as their bytes, one behind the other, before the one at an index.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of all the elements; none is null but by its codec.
  ///   - ends: where each element ends in `bytes`, ascending.
  ///   - index: of the element before which they are to stand, or the count.
  /// - Throws: the engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(log n + new elements).
  /// - Precondition: as `insert(bytes:at:)`.
  package func insert(
    contentsOf bytes: UnsafeRawBufferPointer, ends: [Int], at index: Int
  ) throws(StorageError) {
    var start = 0
    for end in ends {
      try checkLength(end - start)
      start = end
    }
    try insert(ends.count, at: index, byteCount: bytes.count) { leaf, element, offset in
      let start = element == 0 ? 0 : ends[element - 1]
      return leaf.insertIfRoom(
        bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<ends[element]]), at: offset)
    }
  }

  /// Inserts elements one after the other, splitting leaves on the way.
  ///
  /// - Parameters:
  ///   - new: how many elements.
  ///   - index: where the first of them is to stand.
  ///   - byteCount: of all of them together.
  ///   - put: puts one of the new elements at a place in a leaf; false if there is no room.
  /// - Throws: the engine's error, or `.corrupted` for damaged nodes.
  private func insert(
    _ new: Int, at index: Int, byteCount: Int,
    put: (ListLeafBuffer, _ element: Int, _ offset: Int) -> Bool
  ) throws(StorageError) {
    precondition(index >= 0 && index <= count, "List index is out of bounds.")
    guard new <= Self.maximumCount - count else {
      throw StorageError(.valueTooLong, "A list cannot hold more elements.")
    }
    var done = 0
    while done < new {
      let place = try leafForChange(index + done, isInsertion: true)
      var offset = place.offset
      // Many elements before others: cut there, instead of moving the others at every element.
      let isBulk = byteCount - byteCount / new * done > ListNode.maximumBytes / 2
      if !(isBulk && offset < place.leaf.count) {
        while done < new, put(place.leaf, done, offset) {
          done += 1
          offset += 1
        }
        noteShift(by: offset - place.offset)
      }
      if done < new {
        try makeRoom(
          in: place.node, at: offset, incoming: byteCount - byteCount / new * done)
      }
    }
    if new > 1, index + new < count {
      dropFinger()
      try rebalance(around: index + new)
    } else if index + new == count, let finger, isLast(finger) {
      openTail = finger.leaf
      openTailRoom = finger.leaf?.room ?? 0
    }
  }
}
