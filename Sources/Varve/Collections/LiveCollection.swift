import VarveCore

/// A collection that another task may shorten or move to another version at any time.
///
/// The algorithms of the standard library query a collection's count and elements separately, and
/// trap or never terminate when the count changes in between. The implementations here that are
/// affected iterate one version.
public protocol _LiveCollection: RandomAccessCollection where Index == Int {
  /// Whether elements can appear or disappear while the collection is read, or cannot be read
  /// because the store is damaged.
  var _$mayChange: Bool { get }
  /// Whether the object that owns the collection was deleted.
  var isInvalidated: Bool { get }
}

/// Returns the capacity to reserve before elements are read. A count may belong to another version
/// or be damaged, so that it must not determine an allocation: larger arrays grow while they are
/// filled.
func roomForElements(_ count: Int) -> Int { min(count, 1 << 16) }

extension _LiveCollection {
  /// The index of the first element, 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { count }

  /// Always 0. No higher bound is safe: the collection may change, and iteration may end at a
  /// damaged page.
  public var underestimatedCount: Int { 0 }

  /// Copies the elements of one version. Used by `Array(_:)` and `sorted()`.
  public func _copyToContiguousArray() -> ContiguousArray<Element> {
    var copy = ContiguousArray<Element>()
    copy.reserveCapacity(roomForElements(count))
    for element in self { copy.append(element) }
    return copy
  }

  // The default implementations would compare with the count at that moment.

  /// Returns the index after the given one.
  public func index(after index: Int) -> Int { index + 1 }

  /// Returns the index before the given one.
  public func index(before index: Int) -> Int { index - 1 }

  /// Returns the index at a distance from the given one.
  public func index(_ index: Int, offsetBy distance: Int) -> Int { index + distance }

  /// Returns the distance between two indexes.
  public func distance(from start: Int, to end: Int) -> Int { end - start }

  /// Does nothing: reading an element checks its index.
  public func _failEarlyRangeCheck(_ index: Int, bounds: Range<Int>) {}

  /// Does nothing: reading an element checks its index.
  public func _failEarlyRangeCheck(_ index: Int, bounds: ClosedRange<Int>) {}

  /// Does nothing: reading an element checks its index.
  public func _failEarlyRangeCheck(_ range: Range<Int>, bounds: Range<Int>) {}

  /// Returns the results of a closure for the elements of one version, in the order of the
  /// elements.
  ///
  /// - Throws: The error that the closure throws.
  /// - Complexity: O(n).
  public func map<T, E: Error>(_ transform: (Element) throws(E) -> T) throws(E) -> [T] {
    var results: [T] = []
    results.reserveCapacity(roomForElements(count))
    for element in self { results.append(try transform(element)) }
    return results
  }

  /// Returns the index, in the version that is read now, of the first element that satisfies a
  /// predicate; nil when there is none.
  ///
  /// - Throws: The error that the predicate throws.
  /// - Complexity: O(n).
  public func firstIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? {
    var index = 0
    for element in self {
      if try predicate(element) { return index }
      index += 1
    }
    return nil
  }

  /// Accesses the elements in a range of indexes. In a live collection, reading an index out of
  /// bounds behaves as documented for ``subscript(_:)``.
  ///
  /// - Precondition: The range is in bounds, unless another task may change the collection.
  public subscript(bounds: Range<Int>) -> Slice<Self> {
    if !_$mayChange {
      let isWithin = bounds.lowerBound >= 0 && bounds.upperBound <= count
      // The count may have met damage.
      Misuse.require(isWithin || _$mayChange, "The range is out of bounds.")
    }
    return Slice(base: self, bounds: bounds)
  }

  /// Returns the elements before the first one that does not satisfy a predicate.
  ///
  /// - Throws: The error that the predicate throws.
  /// - Complexity: O(length of the result).
  public func prefix(while predicate: (Element) throws -> Bool) rethrows -> Slice<Self> {
    self[0..<(try firstIndex { !(try predicate($0)) } ?? count)]
  }

  /// Returns the elements from the first one that does not satisfy a predicate.
  ///
  /// - Throws: The error that the predicate throws.
  /// - Complexity: O(skipped elements).
  public func drop(while predicate: (Element) throws -> Bool) rethrows -> Slice<Self> {
    let count = count
    return self[(try firstIndex { !(try predicate($0)) } ?? count)..<count]
  }
}

extension _LiveCollection where Element: Equatable {
  /// Returns the index, in the version that is read now, of the first element that is equal to the
  /// given one; nil when there is none.
  ///
  /// - Complexity: O(n).
  public func firstIndex(of element: Element) -> Int? { firstIndex { $0 == element } }
}
