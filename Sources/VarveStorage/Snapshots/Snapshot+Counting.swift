extension Snapshot {
  /// Returns the number of entries in a range.
  ///
  /// - Returns: The number; 0 for a range whose end is not greater than its start.
  /// - Complexity: The header of each leaf of the range, and their inner pages.
  package func countRange(_ table: Table, _ range: KeyRange) -> Int {
    var start = cursor(table)
    guard start.seek(startOf: range), start.isBelow(endOf: range) else { return 0 }
    var end = cursor(table)
    guard end.seek(endOf: range) else { return 0 }
    return EntryCursor.distance(start, end)
  }

  /// Estimates `countRange` from the pages on the paths to the two ends of the range and a few
  /// others.
  ///
  /// - Returns: The number: exact while the range spans few leaves; 0 only for an empty range.
  /// - Complexity: O(depth) pages, regardless of the size of the range.
  package func estimateRange(_ table: Table, _ range: KeyRange) -> Int {
    var start = cursor(table)
    guard start.seek(startOf: range), start.isBelow(endOf: range) else { return 0 }
    var end = cursor(table)
    guard end.seek(endOf: range) else { return 0 }
    return min(EntryCursor.estimatedDistance(start, end), count(table))
  }
}
