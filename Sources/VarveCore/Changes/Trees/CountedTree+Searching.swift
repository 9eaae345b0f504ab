extension CountedTree {
  /// Returns the leaf that contains an index, and the index of the leaf's first element.
  ///
  /// - Precondition: the index is below `count`.
  /// - Complexity: O(log n)
  func leaf(holding index: Int) -> (leaf: Leaf, start: Int) {
    precondition(index >= 0 && index < count, "The index is out of bounds.")
    var node = root
    var start = 0
    while !node.children.isEmpty {
      var position = 0
      while index >= start + node.children[position].count {
        start += node.children[position].count
        position += 1
      }
      node = node.children[position].node
    }
    return (node.leaf, start)
  }

  /// Finds the leaf that contains a position given by a predicate on keys.
  ///
  /// - Parameter isPast: A predicate that is false for all keys up to the position and true for all
  ///   keys after it.
  /// - Returns: The last leaf whose first key is not past the position, or otherwise the first
  ///   leaf; and the index of the leaf's first element.
  /// - Throws: The errors of `isPast`.
  /// - Complexity: O(log n)
  func lastLeaf<Failing: Error>(
    notStarting isPast: (Leaf.Key) throws(Failing) -> Bool
  ) throws(Failing) -> (leaf: Leaf, start: Int) {
    var node = root
    var start = 0
    while !node.children.isEmpty {
      var low = 1
      var high = node.children.count
      while low < high {
        let middle = (low + high) / 2
        if try isPast(node.children[middle].firstKey) { high = middle } else { low = middle + 1 }
      }
      for position in 0..<low - 1 { start += node.children[position].count }
      node = node.children[low - 1].node
    }
    return (node.leaf, start)
  }
}
