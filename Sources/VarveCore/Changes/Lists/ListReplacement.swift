/// Consecutive elements of the old list, and the elements of the new list that replace them. At
/// least one range is not empty.
struct ListReplacement: Equatable, Sendable {
  let old: Range<Int>
  let new: Range<Int>

  /// Returns the same replacement, with indexes relative to an earlier element.
  func shifted(old oldDistance: Int, new newDistance: Int) -> ListReplacement {
    ListReplacement(
      old: old.lowerBound + oldDistance..<old.upperBound + oldDistance,
      new: new.lowerBound + newDistance..<new.upperBound + newDistance)
  }
}
