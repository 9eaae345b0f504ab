/// A collection that another task may shorten or move to another version at any time.
///
/// The algorithms of the standard library ask a collection for its count and its elements one by one,
/// and trap, or never end, when the count has changed meanwhile. Here those that do so walk one version.
///
/// Thread safety: as the collection.
public protocol _LiveCollection: RandomAccessCollection where Index == Int {
  /// Whether elements can come and go while the collection is read, or cannot be read because the store is damaged.
  var _$mayChange: Bool { get }
  /// Whether what the collection comes from was deleted.
  var isInvalidated: Bool { get }
}

/// How many elements to make room for before they are read: a count may be of another version, or damaged, and what it
/// says is not asked of memory. More of them grow as an array does.
func roomForElements(_ count: Int) -> Int { min(count, 1 << 16) }

extension _LiveCollection {
  /// The place of the first element: 0.
  public var startIndex: Int { 0 }
  /// The count.
  public var endIndex: Int { count }

  /// A lower bound that holds whatever happens meanwhile: a walk may also end at a damaged page.
  public var underestimatedCount: Int { 0 }

  /// The elements of one version; `Array(_:)` and `sorted()` use it.
  public func _copyToContiguousArray() -> ContiguousArray<Element> {
    var copy = ContiguousArray<Element>()
    copy.reserveCapacity(roomForElements(count))
    for element in self { copy.append(element) }
    return copy
  }

  // The standard library's own would compare with the count as it is at that moment.

  /// The place behind another.
  public func index(after index: Int) -> Int { index + 1 }

  /// The place before another.
  public func index(before index: Int) -> Int { index - 1 }

  /// The place at a distance from another.
  public func index(_ index: Int, offsetBy distance: Int) -> Int { index + distance }

  /// The distance between two places.
  public func distance(from start: Int, to end: Int) -> Int { end - start }

  /// Checks nothing: reading does.
  public func _failEarlyRangeCheck(_ index: Int, bounds: Range<Int>) {}

  /// Checks nothing: reading does.
  public func _failEarlyRangeCheck(_ index: Int, bounds: ClosedRange<Int>) {}

  /// Checks nothing: reading does.
  public func _failEarlyRangeCheck(_ range: Range<Int>, bounds: Range<Int>) {}

  /// What a closure makes of the elements of one version.
  ///
  /// - Parameter transform: the closure.
  /// - Returns: its results in the order of the elements.
  /// - Throws: what the closure throws.
  /// - Complexity: O(n).
  public func map<T, E: Error>(_ transform: (Element) throws(E) -> T) throws(E) -> [T] {
    var results: [T] = []
    results.reserveCapacity(roomForElements(count))
    for element in self { results.append(try transform(element)) }
    return results
  }

  /// The place, in the version that is read now, of the first element that satisfies a predicate.
  ///
  /// - Parameter predicate: the predicate.
  /// - Returns: nil when there is none.
  /// - Throws: what the predicate throws.
  /// - Complexity: O(n).
  public func firstIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? {
    var place = 0
    for element in self {
      if try predicate(element) { return place }
      place += 1
    }
    return nil
  }

  /// The places of a range; of a live collection those that do not exist read as ``subscript(_:)`` says.
  ///
  /// - Precondition: unless another task may change the collection, the range is in bounds.
  public subscript(bounds: Range<Int>) -> Slice<Self> {
    if !_$mayChange {
      let isWithin = bounds.lowerBound >= 0 && bounds.upperBound <= count
      // The count may have met damage.
      precondition(isWithin || _$mayChange, "The range is out of bounds.")
    }
    return Slice(base: self, bounds: bounds)
  }

  /// The first elements, as long as they satisfy a predicate.
  ///
  /// - Parameter predicate: the predicate.
  /// - Returns: those places.
  /// - Throws: what the predicate throws.
  /// - Complexity: O(length of the result).
  public func prefix(while predicate: (Element) throws -> Bool) rethrows -> Slice<Self> {
    self[0..<(try firstIndex { !(try predicate($0)) } ?? count)]
  }

  /// The elements from the first on that does not satisfy a predicate.
  ///
  /// - Parameter predicate: the predicate.
  /// - Returns: those places.
  /// - Throws: what the predicate throws.
  /// - Complexity: O(elements left out).
  public func drop(while predicate: (Element) throws -> Bool) rethrows -> Slice<Self> {
    let count = count
    return self[(try firstIndex { !(try predicate($0)) } ?? count)..<count]
  }
}

extension _LiveCollection where Element: Equatable {
  /// The place, in the version that is read now, of the first element that is equal to another.
  ///
  /// - Parameter element: the other.
  /// - Returns: nil when there is none.
  /// - Complexity: O(n).
  public func firstIndex(of element: Element) -> Int? { firstIndex { $0 == element } }
}
