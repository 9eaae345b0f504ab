// The counted tree of the list's objects. Nodes are known by their places in two arrays, so that an
// object's leaf is a number.

extension ListObjectMap {
  struct Leaf {
    var ids: [UInt64]
    /// The node that the leaf is in.
    var parent: Int
  }

  struct Node {
    var holdsLeaves: Bool
    /// The numbers of leaves, or of nodes.
    var children: [Int] = []
    /// How many objects are below each child.
    var counts: [Int] = []
    /// The node that this one is in; of the root it means nothing.
    var parent = 0
  }

  static let maximumObjects = 256
  static let minimumObjects = 64
  static let maximumChildren = 64

  // MARK: - Finding

  /// The index of the first object in a leaf.
  ///
  /// - Complexity: O(log n).
  func start(ofLeaf leaf: Int) -> Int {
    var (child, parent) = (leaf, leaves[leaf].parent)
    var start = 0
    while true {
      let node = nodes[parent]
      for index in node.children.indices {
        if node.children[index] == child { break }
        start += node.counts[index]
      }
      if parent == root { return start }
      (child, parent) = (parent, node.parent)
    }
  }

  /// Finds the leaf of an index, adding to every count on the way.
  ///
  /// - Returns: the leaf, and the place of the index in it; for the end of the list the end of the
  ///   last leaf.
  private mutating func descend(
    to index: Int, adding delta: Int
  ) -> (leaf: Int, offset: Int) {
    var node = root
    var offset = index
    while true {
      var entry = 0
      let last = nodes[node].counts.count - 1
      while entry < last, offset >= nodes[node].counts[entry] {
        offset -= nodes[node].counts[entry]
        entry += 1
      }
      nodes[node].counts[entry] += delta
      let child = nodes[node].children[entry]
      if nodes[node].holdsLeaves { return (child, offset) }
      node = child
    }
  }

  // MARK: - Changing

  mutating func insert(_ objectID: UInt64, at index: Int) {
    if count == 0 { return build([objectID]) }
    let (leaf, offset) = descend(to: index, adding: 1)
    leaves[leaf].ids.insert(objectID, at: offset)
    note(objectID, inLeaf: leaf)
    count += 1
    if leaves[leaf].ids.count > Self.maximumObjects { split(leaf) }
  }

  mutating func remove(at index: Int) {
    let (leaf, offset) = descend(to: index, adding: -1)
    let objectID = leaves[leaf].ids.remove(at: offset)
    forget(objectID, inLeaf: leaf)
    count -= 1
    if leaves[leaf].ids.isEmpty {
      removeLeaf(leaf)
    } else if leaves[leaf].ids.count < Self.minimumObjects {
      mergeWithNext(leaf)
    }
  }

  mutating func replace(at index: Int, _ objectID: UInt64) {
    let (leaf, offset) = descend(to: index, adding: 0)
    let old = leaves[leaf].ids[offset]
    if old == objectID { return }
    forget(old, inLeaf: leaf)
    leaves[leaf].ids[offset] = objectID
    note(objectID, inLeaf: leaf)
  }

  /// Makes the tree of all objects of a list.
  ///
  /// - Precondition: no object is noted.
  mutating func build(_ ids: [UInt64]) {
    leaves = []
    freeLeaves = []
    nodes = []
    freeNodes = []
    count = ids.count
    let portion = Self.maximumObjects * 3 / 4
    for start in stride(from: 0, to: ids.count, by: portion) {
      let part = Array(ids[start..<min(start + portion, ids.count)])
      for id in part { note(id, inLeaf: leaves.count) }
      leaves.append(Leaf(ids: part, parent: 0))
    }
    var level = Array(leaves.indices)
    var counts = leaves.map(\.ids.count)
    var holdsLeaves = true
    repeat {
      let first = nodes.count
      group(level, counts, holdsLeaves: holdsLeaves)
      level = Array(first..<nodes.count)
      counts = level.map { nodes[$0].counts.reduce(0, +) }
      holdsLeaves = false
    } while level.count > 1
    root = nodes.count - 1
  }

  /// Puts nodes, or leaves, below new nodes, of which there is one at least.
  private mutating func group(_ children: [Int], _ counts: [Int], holdsLeaves: Bool) {
    let portion = Self.maximumChildren * 3 / 4
    var start = 0
    repeat {
      let end = min(start + portion, children.count)
      let parts = Array(children[start..<end])
      nodes.append(
        Node(holdsLeaves: holdsLeaves, children: parts, counts: Array(counts[start..<end])))
      setParent(of: parts, to: nodes.count - 1)
      start = end
    } while start < children.count
  }

  private mutating func setParent(of children: some Sequence<Int>, to parent: Int) {
    for child in children {
      if nodes[parent].holdsLeaves {
        leaves[child].parent = parent
      } else {
        nodes[child].parent = parent
      }
    }
  }

  // MARK: - Splitting

  private mutating func split(_ leaf: Int) {
    let half = leaves[leaf].ids.count / 2
    let moved = Array(leaves[leaf].ids[half...])
    leaves[leaf].ids.removeSubrange(half...)
    let new = freeLeaves.popLast() ?? leaves.count
    let parent = leaves[leaf].parent
    if new == leaves.count {
      leaves.append(Leaf(ids: moved, parent: parent))
    } else {
      leaves[new] = Leaf(ids: moved, parent: parent)
    }
    relocate(moved, from: leaf, to: new)
    insertChild(new, holding: moved.count, after: leaf, in: parent)
  }

  private mutating func relocate(_ ids: [UInt64], from source: Int, to target: Int) {
    for id in ids {
      forget(id, inLeaf: source)
      note(id, inLeaf: target)
    }
  }

  /// Puts a child behind the one that it has taken objects from.
  private mutating func insertChild(
    _ new: Int, holding objects: Int, after child: Int, in parent: Int
  ) {
    guard let entry = nodes[parent].children.firstIndex(of: child) else { return }
    nodes[parent].counts[entry] -= objects
    nodes[parent].children.insert(new, at: entry + 1)
    nodes[parent].counts.insert(objects, at: entry + 1)
    if nodes[parent].children.count > Self.maximumChildren { splitNode(parent) }
  }

  private mutating func splitNode(_ node: Int) {
    let half = nodes[node].children.count / 2
    let right = Node(
      holdsLeaves: nodes[node].holdsLeaves, children: Array(nodes[node].children[half...]),
      counts: Array(nodes[node].counts[half...]), parent: nodes[node].parent)
    nodes[node].children.removeSubrange(half...)
    nodes[node].counts.removeSubrange(half...)
    let new = add(right)
    setParent(of: right.children, to: new)
    let moved = right.counts.reduce(0, +)
    if node != root {
      return insertChild(new, holding: moved, after: node, in: nodes[node].parent)
    }
    let left = nodes[node].counts.reduce(0, +)
    root = add(Node(holdsLeaves: false, children: [node, new], counts: [left, moved]))
    setParent(of: [node, new], to: root)
  }

  private mutating func add(_ node: Node) -> Int {
    if let free = freeNodes.popLast() {
      nodes[free] = node
      return free
    }
    nodes.append(node)
    return nodes.count - 1
  }

  // MARK: - Merging

  /// Takes the next leaf of the same node into a small one, if that leaves room.
  private mutating func mergeWithNext(_ leaf: Int) {
    let parent = leaves[leaf].parent
    guard let entry = nodes[parent].children.firstIndex(of: leaf),
      entry + 1 < nodes[parent].children.count
    else { return }
    let next = nodes[parent].children[entry + 1]
    let moved = leaves[next].ids
    guard leaves[leaf].ids.count + moved.count <= Self.maximumObjects * 3 / 4 else { return }
    leaves[leaf].ids.append(contentsOf: moved)
    relocate(moved, from: next, to: leaf)
    nodes[parent].counts[entry] += moved.count
    nodes[parent].counts[entry + 1] = 0
    removeLeaf(next)
  }

  /// Takes an emptied leaf out of the tree, and the nodes that have nothing else below them.
  private mutating func removeLeaf(_ leaf: Int) {
    leaves[leaf].ids = []
    freeLeaves.append(leaf)
    var (child, parent) = (leaf, leaves[leaf].parent)
    while true {
      guard let entry = nodes[parent].children.firstIndex(of: child) else { return }
      nodes[parent].children.remove(at: entry)
      nodes[parent].counts.remove(at: entry)
      guard nodes[parent].children.isEmpty, parent != root else { break }
      freeNodes.append(parent)
      (child, parent) = (parent, nodes[parent].parent)
    }
    // An emptied root is made anew by the next object.
    while !nodes[root].holdsLeaves, nodes[root].children.count == 1 {
      freeNodes.append(root)
      root = nodes[root].children[0]
    }
  }
}
