extension RandomAccessCollection {
  /// Returns the number of elements that satisfy a predicate, if they are all at the beginning.
  ///
  /// - Parameter isBefore: True for all elements before some position, and false for the others.
  /// - Throws: The error of `isBefore`.
  /// - Complexity: O(log n).
  @inline(__always)
  package func countAscending<Failing: Error>(
    before isBefore: (Element) throws(Failing) -> Bool
  ) throws(Failing) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if try isBefore(self[index(startIndex, offsetBy: middle)]) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

extension RandomAccessCollection where Element: Comparable {
  /// Returns whether an element is contained in ascending elements.
  ///
  /// - Complexity: O(log n).
  func containsAscending(_ element: Element) -> Bool {
    let position = countAscending { $0 < element }
    return position < count && self[index(startIndex, offsetBy: position)] == element
  }
}
