extension Snapshot {
  /// The number of entries of a table with byte keys whose key is not less than `lower` and less than
  /// `upper`.
  ///
  /// - Parameters:
  ///   - table: Which one.
  ///   - lower: nil is before the first entry.
  ///   - upper: nil is behind the last entry.
  /// - Returns: The number; 0 when `upper` is not greater than `lower`.
  /// - Complexity: The header of each leaf of the range, and their inner pages.
  package func countRange(
    _ table: Table, lower: UnsafeRawBufferPointer?, upper: UnsafeRawBufferPointer?
  ) -> Int {
    if let lower, let upper, PageMap.compare(lower, upper) >= 0 { return 0 }
    var start = cursor(table)
    var end = cursor(table)
    guard EntryCursor.enclose(&start, &end, lower: lower, upper: upper) else { return 0 }
    return EntryCursor.distance(start, end)
  }

  /// The number of entries of a table with integer keys whose key is not less than `lower` and less than
  /// `upper`.
  ///
  /// - Complexity: As `countRange(_:lower:upper:)`.
  package func countRange(_ table: Table, lower: UInt64, upper: UInt64?) -> Int {
    if let upper, lower >= upper { return 0 }
    var start = cursor(table)
    var end = cursor(table)
    guard EntryCursor.enclose(&start, &end, lower: lower, upper: upper) else { return 0 }
    return EntryCursor.distance(start, end)
  }

  /// About as many entries as `countRange` would count, told by the pages on the way to the two ends of
  /// the range and a few others.
  ///
  /// - Parameters:
  ///   - table: Which one.
  ///   - lower: nil is before the first entry.
  ///   - upper: nil is behind the last entry.
  /// - Returns: The number: exact while the range spans few leaves; 0 only for an empty range.
  /// - Complexity: O(depth) pages, however long the range is.
  package func estimateRange(
    _ table: Table, lower: UnsafeRawBufferPointer?, upper: UnsafeRawBufferPointer?
  ) -> Int {
    if let lower, let upper, PageMap.compare(lower, upper) >= 0 { return 0 }
    var start = cursor(table)
    var end = cursor(table)
    guard EntryCursor.enclose(&start, &end, lower: lower, upper: upper) else { return 0 }
    return min(EntryCursor.estimatedDistance(start, end), count(table))
  }

  /// As `estimateRange(_:lower:upper:)`, for a table with integer keys.
  package func estimateRange(_ table: Table, lower: UInt64, upper: UInt64?) -> Int {
    if let upper, lower >= upper { return 0 }
    var start = cursor(table)
    var end = cursor(table)
    guard EntryCursor.enclose(&start, &end, lower: lower, upper: upper) else { return 0 }
    return min(EntryCursor.estimatedDistance(start, end), count(table))
  }
}

extension EntryCursor {
  /// Goes to the first entry of a range with one cursor, and to its last one with another.
  ///
  /// - Returns: Whether the range has entries.
  fileprivate static func enclose(
    _ start: inout EntryCursor, _ end: inout EntryCursor, lower: UnsafeRawBufferPointer?,
    upper: UnsafeRawBufferPointer?
  ) -> Bool {
    if let lower {
      guard start.seek(key: lower) else { return false }
    } else {
      guard start.seekFirst() else { return false }
    }
    guard let upper else { return end.seekLast() }
    guard PageMap.compare(start.key, upper) < 0 else { return false }
    return end.seek(key: upper) ? end.previous() : end.seekLast()
  }

  /// As `enclose(_:_:lower:upper:)`, for integer keys.
  fileprivate static func enclose(
    _ start: inout EntryCursor, _ end: inout EntryCursor, lower: UInt64, upper: UInt64?
  ) -> Bool {
    guard start.seek(id: lower) else { return false }
    guard let upper else { return end.seekLast() }
    guard start.id < upper else { return false }
    return end.seekLast(notAfter: upper - 1)
  }
}
