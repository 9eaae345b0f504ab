import VarveEncoding

/// A node of a list's tree in an editor's memory: an editable leaf, or an inner node's entries with
/// the children that are loaded.
///
/// Invariant: a changed node's parent is changed too, and the parent's entry for it has the stamp
/// of the running transaction. Marking a node as changed therefore stops at the first changed
/// ancestor.
///
/// Thread safety: belongs to one editor, and so to one thread at a time.
final class ListTreeNode {
  let id: UInt64
  /// The level: 0 for a leaf, otherwise one more than the children's level. Only the root's level
  /// ever changes.
  @exclusivity(unchecked) private(set) var level: Int
  /// Non-owning: the parent owns its children. Safe because a node leaves the tree together with
  /// its subtree, and the parent of a removed node is never read.
  unowned(unsafe) var parent: ListTreeNode?
  /// The index at which its entry in the parent was last found.
  private var entryHint = 0
  /// Whether the node differs from the bytes that the transaction stores under its key.
  var isDirty = false
  /// Whether the transaction stores bytes under the node's key.
  var isStored: Bool
  /// The elements of a leaf; nil for an inner node.
  @exclusivity(unchecked) private(set) var leaf: ListLeafBuffer?

  /// The entries of an inner node, one array per column so that searching by index stays dense.
  @exclusivity(unchecked) private(set) var childIDs: [UInt64] = []
  @exclusivity(unchecked) private(set) var stamps: [UInt64] = []
  @exclusivity(unchecked) private(set) var counts: [Int] = []
  @exclusivity(unchecked) private(set) var children: [ListTreeNode?] = []

  init(id: UInt64, leaf: ListLeafBuffer, isStored: Bool) {
    self.id = id
    self.level = 0
    self.leaf = leaf
    self.isStored = isStored
  }

  init(id: UInt64, level: Int, isStored: Bool) {
    self.id = id
    self.level = level
    self.isStored = isStored
  }

  var entryCount: Int { childIDs.count }

  /// The number of elements below an inner node according to its entries.
  var countBelow: Int {
    var sum = 0
    for count in counts { sum += count }
    return sum
  }

  /// Returns the entry that refers to a loaded child.
  ///
  /// - Complexity: O(1) if the entry has not moved since the last call, otherwise O(entries).
  func entry(of child: ListTreeNode) -> Int? {
    let hint = child.entryHint
    if hint < children.count, children[hint] === child { return hint }
    for index in children.indices where children[index] === child {
      child.entryHint = index
      return index
    }
    return nil
  }

  /// Returns the entry below which the element at a position is, and the position of the entry's
  /// first element, both relative to this node's first element.
  func find(_ position: Int) -> (entry: Int, start: Int)? {
    var start = 0
    for index in 0..<counts.count {
      let end = start + counts[index]
      if position < end { return (index, start) }
      start = end
    }
    return nil
  }
}

// MARK: - Editing entries

extension ListTreeNode {
  func setChild(_ child: ListTreeNode?, at entry: Int) {
    children[entry] = child
    child?.parent = self
  }

  func setStamp(_ stamp: UInt64, at entry: Int) { stamps[entry] = stamp }

  func addCount(_ delta: Int, at entry: Int) { counts[entry] += delta }

  func insertEntry(
    childID: UInt64, stamp: UInt64, count: Int, child: ListTreeNode?, at entry: Int
  ) {
    childIDs.insert(childID, at: entry)
    stamps.insert(stamp, at: entry)
    counts.insert(count, at: entry)
    children.insert(child, at: entry)
    child?.parent = self
  }

  func removeEntry(at entry: Int) {
    childIDs.remove(at: entry)
    stamps.remove(at: entry)
    counts.remove(at: entry)
    children.remove(at: entry)
  }

  /// Moves entries, with their loaded children, to an index in another inner node of this level.
  func moveEntries(_ range: Range<Int>, to other: ListTreeNode, at index: Int) {
    for child in children[range] { child?.parent = other }
    other.childIDs.insert(contentsOf: childIDs[range], at: index)
    other.stamps.insert(contentsOf: stamps[range], at: index)
    other.counts.insert(contentsOf: counts[range], at: index)
    other.children.insert(contentsOf: children[range], at: index)
    childIDs.removeSubrange(range)
    stamps.removeSubrange(range)
    counts.removeSubrange(range)
    children.removeSubrange(range)
  }

  /// Releases the loaded leaves below a node of level 1.
  func unloadChildren() {
    for index in children.indices { children[index] = nil }
  }

  // MARK: - Changing the kind of the root

  /// Takes the whole content of a node, which is left empty.
  func takeContent(of other: ListTreeNode) {
    level = other.level
    leaf = other.leaf
    childIDs = other.childIDs
    stamps = other.stamps
    counts = other.counts
    children = other.children
    for child in children { child?.parent = self }
    other.leaf = nil
    other.childIDs = []
    other.stamps = []
    other.counts = []
    other.children = []
  }

  /// Turns an emptied node into an inner node of a level, without entries.
  func becomeInner(level: Int) {
    self.level = level
    leaf = nil
  }

  /// Turns a node into an empty leaf.
  func becomeLeaf(_ buffer: ListLeafBuffer) {
    level = 0
    leaf = buffer
    childIDs = []
    stamps = []
    counts = []
    children = []
  }
}
