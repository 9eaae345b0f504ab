/// A node of a counted tree: a leaf, or an inner node with an entry for each child.
///
/// The node stores arrays, so the tree gets its copy on write from them.
struct CountedNode<Leaf: CountedLeaf>: Sendable {
  static var maximumChildren: Int { 16 }
  /// The number of children of a newly built node, and the maximum of a node merged from two.
  static var usualChildren: Int { 12 }
  /// An inner node with fewer children is merged with a neighbor.
  static var minimumChildren: Int { 4 }

  /// The leaf's elements; empty in an inner node.
  var leaf: Leaf

  /// The children; empty in a leaf.
  var children: [CountedChild<Leaf>]

  init(leaf: Leaf) {
    self.leaf = leaf
    children = []
  }

  init(children: [CountedChild<Leaf>]) {
    leaf = Leaf()
    self.children = children
  }

  /// - Complexity: O(children)
  var elementCount: Int {
    guard !children.isEmpty else { return leaf.count }
    var count = 0
    for position in children.indices { count += children[position].count }
    return count
  }

  /// The key of the first element.
  ///
  /// - Precondition: the node is not empty.
  var firstKey: Leaf.Key { children.isEmpty ? leaf.firstKey : children[0].firstKey }

  /// Whether the node should be merged with a neighbor.
  var isLow: Bool { children.isEmpty ? leaf.isLow : children.count < Self.minimumChildren }

  /// Whether this node can absorb the following node of the same level.
  func canAppend(_ next: Self) -> Bool {
    children.isEmpty
      ? leaf.canAppend(next.leaf) : children.count + next.children.count <= Self.usualChildren
  }

  mutating func append(_ next: Self) {
    if children.isEmpty {
      leaf.append(next.leaf)
    } else {
      children.append(contentsOf: next.children)
    }
  }
}

/// A child node, with its first key and count as stored in the parent.
struct CountedChild<Leaf: CountedLeaf>: Sendable {
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
