package import VarveEncoding
package import VarveStorage

/// The objects of a class in a range of integer primary keys that are never null. Such a key is the
/// object id, and has no index.
package struct IntegerKeyRange: Sendable {
  package let table: Table
  /// The inclusive lower bound of the ids.
  package let lower: UInt64
  /// The exclusive upper bound of the ids. Nil for no bound.
  package let upper: UInt64?
  package let isNothing: Bool

  /// The objects whose keys equal a constant of any type.
  package static func equal(to value: Value, of table: Table) -> IntegerKeyRange {
    between(.inclusive(value), .inclusive(value), of: table)
  }

  /// The objects whose keys satisfy the order comparison with each bound.
  package static func between(
    _ lower: IndexBound, _ upper: IndexBound, of table: Table
  ) -> IntegerKeyRange {
    var start: UInt64 = 0
    var end: UInt64?
    if let value = lower.value {
      guard let edges = IntegerEdges(value),
        let least = lower.isInclusive ? edges.lower : edges.upper
      else { return nothing(of: table) }
      start = ObjectKey.objectID(forInteger: least)
    }
    if let value = upper.value {
      guard let edges = IntegerEdges(value) else { return nothing(of: table) }
      end = (upper.isInclusive ? edges.upper : edges.lower).map(ObjectKey.objectID(forInteger:))
    }
    return IntegerKeyRange(
      table: table, lower: start, upper: end, isNothing: end.map { $0 <= start } ?? false)
  }

  /// The intersection of two ranges of one table.
  func intersection(_ other: IntegerKeyRange) -> IntegerKeyRange {
    let start = max(lower, other.lower)
    let end =
      if let upper, let second = other.upper { min(upper, second) } else { upper ?? other.upper }
    return IntegerKeyRange(
      table: table, lower: start, upper: end,
      isNothing: isNothing || other.isNothing || end.map { $0 <= start } ?? false)
  }

  private static func nothing(of table: Table) -> IntegerKeyRange {
    IntegerKeyRange(table: table, lower: 0, upper: 0, isNothing: true)
  }

  /// The number of objects.
  ///
  /// - Complexity: See `TableReader.countRange`.
  package func count(_ reader: any TableReader) -> Int {
    isNothing ? 0 : reader.countRange(table, .ids(from: lower, below: upper))
  }

  /// The estimated number of objects.
  ///
  /// - Complexity: O(depth) pages.
  package func estimate(_ reader: any TableReader) -> Int {
    isNothing ? 0 : reader.estimateRange(table, .ids(from: lower, below: upper))
  }

  /// The ids of the objects, ascending, which is the order of the keys.
  ///
  /// - Complexity: O(objects).
  package func ids(_ reader: any TableReader) -> [UInt64] {
    isNothing ? [] : reader.ids(table, in: lower...(upper.map { $0 - 1 } ?? .max))
  }
}
