/// A set of indexes of a collection, stored as ascending, non-adjacent, non-empty ranges.
///
/// A change of many neighboring elements at once, such as emptying a list, costs one range.
package struct IndexRanges: Equatable, Sendable {
  package private(set) var ranges: [Range<Int>] = []

  /// The number of indexes.
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { ranges.isEmpty }

  /// Appends an index greater than all indexes in the set.
  package mutating func append(_ index: Int) { append(index..<index + 1) }

  /// Appends indexes greater than all indexes in the set. An empty range is ignored.
  package mutating func append(_ indexes: Range<Int>) {
    guard !indexes.isEmpty else { return }
    count += indexes.count
    guard let last = ranges.last else { return ranges.append(indexes) }
    precondition(indexes.lowerBound >= last.upperBound, "Indexes come in ascending order.")
    if indexes.lowerBound == last.upperBound {
      ranges[ranges.count - 1] = last.lowerBound..<indexes.upperBound
    } else {
      ranges.append(indexes)
    }
  }

  /// Returns the union of this set and a disjoint one.
  ///
  /// - Complexity: O(ranges).
  func union(_ other: IndexRanges) -> IndexRanges {
    if isEmpty { return other }
    var union = IndexRanges()
    for range in (ranges + other.ranges).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      union.append(range)
    }
    return union
  }
}

extension IndexRanges: Sequence {
  /// Returns an iterator over the indexes in ascending order.
  package func makeIterator() -> Iterator { Iterator(ranges: ranges) }

  package struct Iterator: IteratorProtocol {
    private let ranges: [Range<Int>]
    private var position = 0
    private var index = 0

    fileprivate init(ranges: [Range<Int>]) {
      self.ranges = ranges
      index = ranges.first?.lowerBound ?? 0
    }

    package mutating func next() -> Int? {
      guard position < ranges.count else { return nil }
      let found = index
      index += 1
      if index == ranges[position].upperBound {
        position += 1
        if position < ranges.count { index = ranges[position].lowerBound }
      }
      return found
    }
  }

  package var underestimatedCount: Int { count }
}

extension IndexRanges: ExpressibleByArrayLiteral {
  /// Creates a set from indexes in ascending order.
  package init(arrayLiteral indexes: Int...) {
    for index in indexes { append(index) }
  }
}
