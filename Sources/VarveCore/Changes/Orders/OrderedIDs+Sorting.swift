extension OrderedIDs {
  /// Sorts items by their entries.
  ///
  /// - Throws: The first error that `rows` throws.
  /// - Complexity: O(n log n); rows are compared only if prefixes are equal.
  static func sort<Item>(
    _ items: inout [Item], by rows: RowOrder, _ entry: (Item) -> OrderedEntry
  ) throws(Failure) {
    items.sort { first, second in
      let (first, second) = (entry(first), entry(second))
      return first.prefix == second.prefix ? first.id < second.id : first.prefix < second.prefix
    }
    var start = 0
    while start < items.count {
      let prefix = entry(items[start]).prefix
      var end = start + 1
      while end < items.count, entry(items[end]).prefix == prefix { end += 1 }
      if end - start > 1 { try sortTies(&items, start..<end, by: rows, entry) }
      start = end
    }
  }

  /// Sorts a range of items with equal prefixes.
  private static func sortTies<Item>(
    _ items: inout [Item], _ range: Range<Int>, by rows: RowOrder, _ entry: (Item) -> OrderedEntry
  ) throws(Failure) {
    var failure: Failure?
    items[range].sort { first, second in
      guard failure == nil else { return false }
      do throws(Failure) {
        return try entry(first).precedes(entry(second), by: rows)
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
  }
}
