/// A set of indexes of a collection, kept as ranges: ascending, apart from each other, none empty.
///
/// What happens to many neighbours at once, as when a list is emptied, costs one range.
package struct IndexRanges: Equatable, Sendable {
  package private(set) var ranges: [Range<Int>] = []

  /// How many indexes there are.
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { ranges.isEmpty }

  /// Adds an index that is above all indexes so far.
  package mutating func append(_ index: Int) { append(index..<index + 1) }

  /// Adds indexes that are above all indexes so far; an empty range adds none.
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

  /// All indexes of this set and of another one, which have none in common.
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
  /// The indexes in ascending order.
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
  /// From indexes in ascending order.
  package init(arrayLiteral indexes: Int...) {
    for index in indexes { append(index) }
  }
}
