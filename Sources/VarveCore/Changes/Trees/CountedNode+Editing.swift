extension CountedNode {
  /// Inserts one element into a leaf of this subtree.
  ///
  /// - Returns: The overflow as a node of the same level, to be inserted after this node; nil if
  ///   everything fit.
  mutating func insert(at index: Int, _ edit: (inout Leaf, Int) -> Leaf?) -> CountedNode? {
    guard !slots.isEmpty else {
      return edit(&leaf, index).map { CountedNode(leaf: $0) }
    }
    makeRoom()
    var position = 0
    var start = 0
    while index > start + slots[position].count {
      start += slots[position].count
      position += 1
    }
    guard let next = slots[position].node.insert(at: index - start, edit) else {
      slots[position].firstKey = slots[position].node.firstKey
      slots[position].count += 1
      return nil
    }
    slots[position] = CountedSlot(slots[position].node)
    return add(next, at: position + 1)
  }

  /// Removes an element from a leaf of this subtree.
  mutating func remove(at index: Int, _ edit: (inout Leaf, Int) -> Void) {
    guard !slots.isEmpty else { return edit(&leaf, index) }
    makeRoom()
    var position = 0
    var start = 0
    while index >= start + slots[position].count {
      start += slots[position].count
      position += 1
    }
    slots[position].node.remove(at: index - start, edit)
    slots[position].count -= 1
    guard slots[position].count > 0 else {
      slots.remove(at: position)
      return
    }
    slots[position].firstKey = slots[position].node.firstKey
    if slots[position].node.isLow { join(position) }
  }

  /// Copies shared slots with spare capacity, so that growing does not copy them again.
  private mutating func makeRoom() { slots.reserveCapacity(Self.maximumSlots) }

  /// Inserts a node, or merges it into the node that follows it.
  ///
  /// - Returns: The second half of this node, if it was full.
  private mutating func add(_ node: CountedNode, at position: Int) -> CountedNode? {
    if position < slots.count, node.canAppend(slots[position].node) {
      var joined = node
      joined.append(slots[position].node)
      slots[position] = CountedSlot(joined)
      return nil
    }
    guard slots.count == Self.maximumSlots else {
      slots.insert(CountedSlot(node), at: position)
      return nil
    }
    // A node added at the end is often followed by more, so the split leaves the first part three
    // quarters full instead of half.
    let cut = position == slots.count ? slots.count * 3 / 4 : slots.count / 2
    var next = CountedNode(slots: Array(slots[cut...]))
    slots.removeSubrange(cut...)
    if position > cut {
      next.slots.insert(CountedSlot(node), at: position - cut)
    } else {
      slots.insert(CountedSlot(node), at: position)
    }
    return next
  }

  /// Merges a node with one of its neighbors, if they fit.
  private mutating func join(_ position: Int) {
    for first in [position, position - 1] where first >= 0 && first + 1 < slots.count {
      guard slots[first].node.canAppend(slots[first + 1].node) else { continue }
      let next = slots.remove(at: first + 1)
      slots[first].node.append(next.node)
      slots[first].count += next.count
      return
    }
  }
}
