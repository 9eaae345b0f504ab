/// A sequence of elements in a tree whose inner nodes store the number of elements in each subtree.
///
/// The orders that maintain query results are such trees with different leaves. Positions are found
/// by index or by a leaf's first key. The tree does not inspect the elements.
///
/// A tree is a value. Copies share their nodes. An edit copies only the nodes between the root and
/// one leaf, once until the tree is copied again.
struct CountedTree<Leaf: CountedLeaf>: Sendable {
  var root = CountedNode(leaf: Leaf())

  /// The number of elements.
  private(set) var count = 0

  init() {}

  /// Builds the tree from non-empty leaves.
  ///
  /// - Complexity: O(leaves)
  init(leaves: [Leaf]) {
    var nodes = leaves.map { CountedNode(leaf: $0) }
    while nodes.count > 1 { nodes = Self.parents(of: nodes) }
    guard let root = nodes.first else { return }
    self.root = root
    count = root.elementCount
  }

  /// Returns the parents of the given nodes, filled evenly.
  private static func parents(of nodes: [CountedNode<Leaf>]) -> [CountedNode<Leaf>] {
    let groups =
      (nodes.count + CountedNode<Leaf>.usualChildren - 1) / CountedNode<Leaf>.usualChildren
    return (0..<groups).map { group in
      let range = nodes.count * group / groups..<nodes.count * (group + 1) / groups
      return CountedNode(children: nodes[range].map(CountedChild.init))
    }
  }

  /// Inserts one element into a leaf.
  ///
  /// - Parameters:
  ///   - index: The index of the new element. At the border of two leaves it goes into the first
  ///     one.
  ///   - edit: Receives the leaf and the position in it. Returns the overflow as a leaf to be
  ///     inserted after it, or nil.
  /// - Complexity: O(log n)
  mutating func insert(at index: Int, _ edit: (inout Leaf, Int) -> Leaf?) {
    if let next = root.insert(at: index, edit) {
      let first = root
      root = CountedNode(children: [CountedChild(first), CountedChild(next)])
    }
    count += 1
  }

  /// Removes the element at an index from its leaf.
  ///
  /// - Complexity: O(log n)
  mutating func remove(at index: Int, _ edit: (inout Leaf, Int) -> Void) {
    root.remove(at: index, edit)
    count -= 1
    while root.children.count == 1 { root = root.children[0].node }
    if count == 0 { root = CountedNode(leaf: Leaf()) }
  }
}

/// Consecutive elements of a counted tree.
protocol CountedLeaf: Sendable {
  /// The key by which a leaf is found.
  associatedtype Key: Sendable

  /// Creates a leaf without elements; only the root is empty.
  init()

  var count: Int { get }

  /// The key of the first element.
  ///
  /// - Precondition: the leaf is not empty.
  var firstKey: Key { get }

  /// Whether the leaf has so few elements that it should be merged with a neighbor.
  var isLow: Bool { get }

  /// Whether the leaf can absorb all elements of the leaf that follows it, with room left over.
  func canAppend(_ next: Self) -> Bool

  /// Appends the elements of the leaf that follows this one.
  mutating func append(_ next: Self)
}
