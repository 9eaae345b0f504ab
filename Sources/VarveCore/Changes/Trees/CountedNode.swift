/// A node of a counted tree: a leaf, or an inner node with a slot for each child.
///
/// The node stores arrays, so the tree gets its copy on write from them.
struct CountedNode<Leaf: CountedLeaf>: Sendable {
  static var maximumSlots: Int { 16 }
  /// The number of slots of a newly built node, and the maximum of a node merged from two.
  static var usualSlots: Int { 12 }
  /// An inner node with fewer slots is merged with a neighbor.
  static var lowSlots: Int { 4 }

  /// The leaf's elements; empty in an inner node.
  var leaf: Leaf

  /// The children; empty in a leaf.
  var slots: [CountedSlot<Leaf>]

  init(leaf: Leaf) {
    self.leaf = leaf
    slots = []
  }

  init(slots: [CountedSlot<Leaf>]) {
    leaf = Leaf()
    self.slots = slots
  }

  /// - Complexity: O(slots)
  var elementCount: Int {
    guard !slots.isEmpty else { return leaf.count }
    var count = 0
    for position in slots.indices { count += slots[position].count }
    return count
  }

  /// The key of the first element.
  ///
  /// - Precondition: the node is not empty.
  var firstKey: Leaf.Key { slots.isEmpty ? leaf.firstKey : slots[0].firstKey }

  /// Whether the node should be merged with a neighbor.
  var isLow: Bool { slots.isEmpty ? leaf.isLow : slots.count < Self.lowSlots }

  /// Whether this node can absorb the following node of the same level.
  func canAppend(_ next: Self) -> Bool {
    slots.isEmpty
      ? leaf.canAppend(next.leaf) : slots.count + next.slots.count <= Self.usualSlots
  }

  mutating func append(_ next: Self) {
    if slots.isEmpty { leaf.append(next.leaf) } else { slots.append(contentsOf: next.slots) }
  }
}

/// A child node, with its first key and count as stored in the parent.
struct CountedSlot<Leaf: CountedLeaf>: Sendable {
  /// The key of the first element of the subtree, never a removed one.
  var firstKey: Leaf.Key

  /// The number of elements in the subtree.
  var count: Int

  var node: CountedNode<Leaf>

  init(_ node: CountedNode<Leaf>) {
    firstKey = node.firstKey
    count = node.elementCount
    self.node = node
  }
}
