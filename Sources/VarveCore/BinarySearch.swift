extension RandomAccessCollection {
  /// How many elements come before a place.
  ///
  /// - Parameter isBefore: holds for no element, or for all up to some element.
  /// - Returns: how many it holds for.
  /// - Throws: what `isBefore` throws.
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
  /// Whether an element is among ascending ones.
  ///
  /// - Complexity: O(log n).
  func containsAscending(_ element: Element) -> Bool {
    let place = countAscending { $0 < element }
    return place < count && self[index(startIndex, offsetBy: place)] == element
  }
}
