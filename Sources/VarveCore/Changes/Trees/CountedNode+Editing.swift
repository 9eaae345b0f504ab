extension CountedNode {
  /// Inserts one element into a leaf of this subtree.
  ///
  /// - Returns: The overflow as a node of the same level, to be inserted after this node; nil if
  ///   everything fit.
  mutating func insert(at index: Int, _ edit: (inout Leaf, Int) -> Leaf?) -> CountedNode? {
    guard !children.isEmpty else {
      return edit(&leaf, index).map { CountedNode(leaf: $0) }
    }
    makeRoom()
    var position = 0
    var start = 0
    while index > start + children[position].count {
      start += children[position].count
      position += 1
    }
    guard let next = children[position].node.insert(at: index - start, edit) else {
      children[position].firstKey = children[position].node.firstKey
      children[position].count += 1
      return nil
    }
    children[position] = CountedChild(children[position].node)
    return add(next, at: position + 1)
  }

  /// Removes an element from a leaf of this subtree.
  mutating func remove(at index: Int, _ edit: (inout Leaf, Int) -> Void) {
    guard !children.isEmpty else { return edit(&leaf, index) }
    makeRoom()
    var position = 0
    var start = 0
    while index >= start + children[position].count {
      start += children[position].count
      position += 1
    }
    children[position].node.remove(at: index - start, edit)
    children[position].count -= 1
    guard children[position].count > 0 else {
      children.remove(at: position)
      return
    }
    children[position].firstKey = children[position].node.firstKey
    if children[position].node.isLow { join(position) }
  }

  /// Copies shared children with spare capacity, so that growing does not copy them again.
  private mutating func makeRoom() { children.reserveCapacity(Self.maximumChildren) }

  /// Inserts a node, or merges it into the node that follows it.
  ///
  /// - Returns: The second half of this node, if it was full.
  private mutating func add(_ node: CountedNode, at position: Int) -> CountedNode? {
    if position < children.count, node.canAppend(children[position].node) {
      var joined = node
      joined.append(children[position].node)
      children[position] = CountedChild(joined)
      return nil
    }
    guard children.count == Self.maximumChildren else {
      children.insert(CountedChild(node), at: position)
      return nil
    }
    // A node added at the end is often followed by more, so the split leaves the first part three
    // quarters full instead of half.
    let cut = position == children.count ? children.count * 3 / 4 : children.count / 2
    var next = CountedNode(children: Array(children[cut...]))
    children.removeSubrange(cut...)
    if position > cut {
      next.children.insert(CountedChild(node), at: position - cut)
    } else {
      children.insert(CountedChild(node), at: position)
    }
    return next
  }

  /// Merges a node with one of its neighbors, if they fit.
  private mutating func join(_ position: Int) {
    for first in [position, position - 1] where first >= 0 && first + 1 < children.count {
      guard children[first].node.canAppend(children[first + 1].node) else { continue }
      let next = children.remove(at: first + 1)
      children[first].node.append(next.node)
      children[first].count += next.count
      return
    }
  }
}
