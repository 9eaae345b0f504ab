extension Snapshot {
  /// The number of entries of a table with byte keys whose key is not less than `lower` and less than
  /// `upper`.
  ///
  /// - Parameters:
  ///   - table: Which one.
  ///   - lower: nil is before the first entry.
  ///   - upper: nil is behind the last entry.
  /// - Returns: The number; 0 when `upper` is not greater than `lower`.
  /// - Complexity: One page for each leaf of the range; through LMDB, one step for each entry.
  package func countRange(
    _ table: Table, lower: UnsafeRawBufferPointer?, upper: UnsafeRawBufferPointer?
  ) -> Int {
    if let lower, let upper, PageMap.compare(lower, upper) >= 0 { return 0 }
    var start = cursor(table)
    guard lower.map({ start.seek(key: $0) }) ?? start.seekFirst() else { return 0 }
    if isPaged {
      var end = cursor(table)
      let hasEnd = upper.map { end.seek(key: $0) } ?? false
      return EntryCursor.distance(&start, hasEnd ? end.leafPosition : nil)
    }
    var count = 0
    repeat {
      if let upper, PageMap.compare(start.key, upper) >= 0 { break }
      count += 1
    } while start.next()
    return count
  }

  /// The number of entries of a table with integer keys whose key is not less than `lower` and less than
  /// `upper`.
  ///
  /// - Complexity: As `countRange(_:lower:upper:)`.
  package func countRange(_ table: Table, lower: UInt64, upper: UInt64?) -> Int {
    if let upper, lower >= upper { return 0 }
    var start = cursor(table)
    guard start.seek(id: lower) else { return 0 }
    if isPaged {
      var end = cursor(table)
      let hasEnd = upper.map { end.seek(id: $0) } ?? false
      return EntryCursor.distance(&start, hasEnd ? end.leafPosition : nil)
    }
    var count = 0
    repeat {
      if let upper, start.id >= upper { break }
      count += 1
    } while start.next()
    return count
  }
}

extension EntryCursor {
  /// The leaf and the index in it.
  fileprivate var leafPosition: (page: UInt64, index: Int) {
    let frame = frames[depth - 1]
    return (frame.page.u64(0), Int(frame.index))
  }

  /// The number of entries from a cursor up to a position, or to the end.
  fileprivate static func distance(
    _ start: inout EntryCursor, _ end: (page: UInt64, index: Int)?
  ) -> Int {
    var total = 0
    while true {
      let leaf = start.depth - 1
      let index = Int(start.frames[leaf].index)
      let count = Int(start.frames[leaf].count)
      if let end, start.frames[leaf].page.u64(0) == end.page {
        return total + max(0, end.index - index)
      }
      total += count - index
      start.frames[leaf].index = Int32(count - 1)
      guard start.nextLeaf() else { return total }
    }
  }
}
