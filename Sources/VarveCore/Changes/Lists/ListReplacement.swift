/// Neighbouring elements of the old list, and those of the new one that stand in their place. Not
/// both are empty.
///
/// Thread safety: an immutable value.
struct ListReplacement: Equatable, Sendable {
  let old: Range<Int>
  let new: Range<Int>

  /// The same replacement, counted from an earlier element.
  func shifted(old oldDistance: Int, new newDistance: Int) -> ListReplacement {
    ListReplacement(
      old: old.lowerBound + oldDistance..<old.upperBound + oldDistance,
      new: new.lowerBound + newDistance..<new.upperBound + newDistance)
  }
}
