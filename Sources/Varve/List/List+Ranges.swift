/// Operations that arrays have too. A list is not a `RangeReplaceableCollection`: that protocol has
/// a `+`, which would change the list on its left side, and a `filter` that returns lists.
extension List {
  /// Creates an unmanaged list with the given elements.
  ///
  /// - Complexity: O(n).
  public convenience init(_ elements: some Sequence<Element>) {
    self.init()
    append(objectsIn: elements)
  }

  /// Appends elements; see ``append(objectsIn:)``.
  public static func += (list: List, elements: some Sequence<Element>) {
    list.append(objectsIn: elements)
  }

  /// Removes the elements in a range expression such as `1...3` or `2...`; see
  /// ``removeSubrange(_:)-(Range<Int>)``.
  public func removeSubrange(_ range: some RangeExpression<Int>) {
    removeSubrange(range.relative(to: self))
  }

  /// Replaces the elements in a range expression; see ``replaceSubrange(_:with:)-(Range<Int>,_)``.
  public func replaceSubrange(
    _ range: some RangeExpression<Int>, with elements: some Collection<Element>
  ) {
    replaceSubrange(range.relative(to: self), with: elements)
  }
}
