/// A node of a counted tree: a leaf, or inner and then with a slot for each node below.
///
/// Both parts are arrays at heart, so that the arrays' own copy on write is the tree's.
struct CountedNode<Leaf: CountedLeaf>: Sendable {
  static var maximumSlots: Int { 16 }
  /// What a built node holds, and at most one that is put together from two.
  static var usualSlots: Int { 12 }
  /// An inner node with fewer is joined with a neighbour.
  static var lowSlots: Int { 4 }

  /// Empty in an inner node.
  var leaf: Leaf

  /// Empty in a leaf.
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

  /// - Precondition: there are elements.
  var firstKey: Leaf.Key { slots.isEmpty ? leaf.firstKey : slots[0].firstKey }

  /// Whether it should be one with a neighbour.
  var isLow: Bool { slots.isEmpty ? leaf.isLow : slots.count < Self.lowSlots }

  /// Of a node of the same level.
  func canAppend(_ next: Self) -> Bool {
    slots.isEmpty
      ? leaf.canAppend(next.leaf) : slots.count + next.slots.count <= Self.usualSlots
  }

  mutating func append(_ next: Self) {
    if slots.isEmpty { leaf.append(next.leaf) } else { slots.append(contentsOf: next.slots) }
  }
}

/// A node as its parent knows it.
struct CountedSlot<Leaf: CountedLeaf>: Sendable {
  /// The key of the first element below: never one that has left.
  var firstKey: Leaf.Key

  /// How many elements lie below.
  var count: Int

  var node: CountedNode<Leaf>

  init(_ node: CountedNode<Leaf>) {
    firstKey = node.firstKey
    count = node.elementCount
    self.node = node
  }
}
