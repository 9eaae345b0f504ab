extension Condition: Equatable {
  /// Whether two conditions consist of the same comparisons in the same structure. Unequal
  /// conditions may still be equivalent.
  ///
  /// - Complexity: O(size of the condition), up to the first difference. The stack depth does not
  ///   depend on the size.
  package static func == (one: Condition, other: Condition) -> Bool {
    var rest = [(one.root, other.root)]
    while let (first, second) = rest.popLast() {
      if first === second { continue }
      guard first.leafCount == second.leafCount, first.kind == second.kind else { return false }
      if let left = first.left, let other = second.left { rest.append((left, other)) }
      if let right = first.right, let other = second.right { rest.append((right, other)) }
    }
    return true
  }
}
