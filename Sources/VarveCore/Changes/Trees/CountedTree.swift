/// A sequence of elements in a tree whose inner nodes know how many elements lie below them.
///
/// The orders that keep query results up to date are such trees; they differ in their leaves. Places
/// are found by index or by what a leaf starts with, and nothing is known here of the elements.
///
/// A tree is a value. Copies share their nodes, and an edit copies only the nodes between the root
/// and one leaf, once for as long as nobody copies the tree again.
///
/// - Thread safety: a value, free to be read anywhere.
struct CountedTree<Leaf: CountedLeaf>: Sendable {
  var root = CountedNode(leaf: Leaf())

  /// How many elements there are.
  private(set) var count = 0

  init() {}

  /// Builds the tree above leaves that are not empty.
  ///
  /// - Complexity: O(leaves)
  init(leaves: [Leaf]) {
    var nodes = leaves.map { CountedNode(leaf: $0) }
    while nodes.count > 1 { nodes = Self.parents(of: nodes) }
    guard let root = nodes.first else { return }
    self.root = root
    count = root.elementCount
  }

  /// The level above some nodes, filled evenly.
  private static func parents(of nodes: [CountedNode<Leaf>]) -> [CountedNode<Leaf>] {
    let groups = (nodes.count + CountedNode<Leaf>.usualSlots - 1) / CountedNode<Leaf>.usualSlots
    return (0..<groups).map { group in
      let range = nodes.count * group / groups..<nodes.count * (group + 1) / groups
      return CountedNode(slots: nodes[range].map(CountedSlot.init))
    }
  }

  /// Lets a leaf take in one more element.
  ///
  /// - Parameters:
  ///   - index: where the element will be; at the border of two leaves it goes to the first.
  ///   - edit: is given the leaf and the place in it, and returns what did not fit, as a leaf to
  ///     stand after it.
  /// - Complexity: O(log n)
  mutating func insert(at index: Int, _ edit: (inout Leaf, Int) -> Leaf?) {
    if let next = root.insert(at: index, edit) {
      let first = root
      root = CountedNode(slots: [CountedSlot(first), CountedSlot(next)])
    }
    count += 1
  }

  /// Lets a leaf give up the element at an index.
  ///
  /// - Complexity: O(log n)
  mutating func remove(at index: Int, _ edit: (inout Leaf, Int) -> Void) {
    root.remove(at: index, edit)
    count -= 1
    while root.slots.count == 1 { root = root.slots[0].node }
    if count == 0 { root = CountedNode(leaf: Leaf()) }
  }
}

/// Neighbouring elements of a counted tree.
protocol CountedLeaf: Sendable {
  /// What a leaf is found by.
  associatedtype Key: Sendable

  /// A leaf without elements; only the root is one.
  init()

  var count: Int { get }

  /// The key of the first element.
  ///
  /// - Precondition: the leaf is not empty.
  var firstKey: Key { get }

  /// Whether the leaf holds so little that it should be one with a neighbour.
  var isLow: Bool { get }

  /// Whether it can take in all elements of the leaf that follows it, with room left over.
  func canAppend(_ next: Self) -> Bool

  /// Takes in the elements of the leaf that follows it.
  mutating func append(_ next: Self)
}
