// Moving elements between leaves.

extension ListLeafBuffer {
  /// Inserts some elements of another buffer of the same format.
  ///
  /// - Precondition: `other` is another buffer.
  package func insert(from other: ListLeafBuffer, _ range: Range<Int>, at index: Int) {
    precondition(
      other !== self && range.upperBound <= other.count && index <= count, "Range out of bounds")
    precondition(other.format == format, "The leaves have different formats")
    guard !format.isPacked else {
      insertPacked(other.storage.base + offset(range.lowerBound), range.count, at: index)
      return
    }
    let lower = other.start(range.lowerBound)
    let upper = other.start(range.upperBound)
    let hole = openVariable(upper - lower, at: index)
    hole.copyMemory(from: other.storage.base + lower, byteCount: upper - lower)
    enter(other.ends[range], from: lower, upper - lower, at: index)
  }

  /// Inserts some elements of a leaf of the same format.
  ///
  /// - Throws: `badLength` if the leaf is damaged; nothing is changed then.
  /// - Precondition: The leaf's bytes are not this buffer's.
  package func insert(
    from leaf: ListLeaf, _ range: Range<Int>, at index: Int
  ) throws(FormatError) {
    precondition(range.upperBound <= leaf.count && index <= count, "Range out of bounds")
    precondition(leaf.format == format, "The leaves have different formats")
    if range.isEmpty { return }
    guard !format.isPacked else {
      insertPacked(leaf.start + range.lowerBound * format.stride, range.count, at: index)
      return
    }
    guard let first = try leaf.bytes(at: range.lowerBound).baseAddress else { return }
    var newEnds: [Int] = []
    newEnds.reserveCapacity(range.count)
    var end = 0
    for position in range {
      end += try leaf.bytes(at: position).count
      newEnds.append(end)
    }
    openVariable(end, at: index).copyMemory(from: first, byteCount: end)
    enter(newEnds[...], from: 0, end, at: index)
  }

  private func insertPacked(_ source: UnsafeRawPointer, _ number: Int, at index: Int) {
    openPacked(number, at: index)
    (storage.base + offset(index)).copyMemory(from: source, byteCount: number * format.stride)
  }

  /// Records the ends of elements that were copied into the storage, and shifts the later ones.
  private func enter(
    _ newEnds: ArraySlice<Int>, from lower: Int, _ byteCount: Int, at index: Int
  ) {
    let shift = start(index) - lower
    for later in index..<ends.count { ends[later] += byteCount }
    ends.insert(contentsOf: newEnds.map { $0 + shift }, at: index)
    count += newEnds.count
  }
}
