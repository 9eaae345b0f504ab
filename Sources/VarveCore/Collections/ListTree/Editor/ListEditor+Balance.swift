import VarveEncoding
import VarveStorage

// Splitting full nodes, and merging nodes that have become small.

extension ListEditor {
  /// A leaf below this number of bytes is merged with a sibling, or filled from one. It is slightly
  /// less than a quarter: no split of a full leaf produces a smaller one, however long its
  /// elements.
  static let minimumLeafBytes = 480
  static let maximumEntries = ListInner.maximumCount
  static let minimumEntries = maximumEntries / 4

  // MARK: - Splitting

  /// Makes room for elements in a full leaf, so that a retry succeeds.
  ///
  /// - Parameters:
  ///   - node: The finger.
  ///   - offset: The index in the leaf at which the elements are inserted.
  ///   - incoming: The approximate number of bytes to be inserted. A large insertion gets leaves of
  ///     its own.
  /// - Throws: The engine's error, or `.corrupted` for damaged nodes.
  func makeRoom(
    in node: ListTreeNode, at offset: Int, incoming: Int
  ) throws(StorageError) {
    guard let leaf = node.leaf else { throw damaged() }
    resolve()
    // Without the finger the retry finds the leaf again, and loads it again.
    if try spillIfNeeded() { return }
    let isBulk = incoming > ListNode.maximumBytes / 2
    let right = newLeaf()
    if offset == leaf.count, isBulk || isLast(node) {
      // The leaf is not split: the leaves of lists that only grow at their end are full, except
      // for `appendReserve`.
      let start = fingerStart + leaf.count
      try insertSibling(right, after: node)
      finger = right
      fingerStart = start
      openTail = nil
      view = nil
      return
    }
    let cut = isBulk ? offset : leaf.middle
    guard isBulk || leaf.count > 1 else { throw damaged() }
    let left = try insertSibling(right, after: node)
    try moveElements(cut..<leaf.count, from: left, to: right, at: 0)
    dropFinger()
    // A bulk insertion fills the left part, even if the cut has left it empty.
    if isBulk { finger = left }
  }

  /// Inserts a new node into the tree, after another one of its level.
  ///
  /// - Returns: The node that now contains the content of `node`: itself, or, if it was the root, a
  ///   new node below it.
  @discardableResult
  func insertSibling(
    _ new: ListTreeNode, after node: ListTreeNode
  ) throws(StorageError) -> ListTreeNode {
    let sibling = node === root ? pushDownRoot() : node
    let (parent, entry) = try roomForEntry(after: sibling)
    parent.insertEntry(childID: new.id, stamp: stamp, count: 0, child: new, at: entry)
    new.isDirty = true
    try markChanged(parent)
    return sibling
  }

  /// Finds room in an inner node for an entry after a node's entry, and splits the inner node if it
  /// is full.
  private func roomForEntry(
    after node: ListTreeNode
  ) throws(StorageError) -> (parent: ListTreeNode, entry: Int) {
    guard let parent = node.parent, let entry = parent.entry(of: node) else { throw damaged() }
    if parent.entryCount < Self.maximumEntries { return (parent, entry + 1) }
    let right = ListTreeNode(id: nextNodeID(), level: parent.level, isStored: false)
    if entry == parent.entryCount - 1, isLast(parent) {
      try insertSibling(right, after: parent)
      return (right, 0)
    }
    let left = try insertSibling(right, after: parent)
    try moveEntries(left.entryCount / 2..<left.entryCount, from: left, to: right, at: 0)
    guard let parent = node.parent, let entry = parent.entry(of: node) else { throw damaged() }
    return (parent, entry + 1)
  }

  /// Moves the root's content into a new node, the only child of the root, so that it can be split.
  private func pushDownRoot() -> ListTreeNode {
    let below = root.leaf?.count ?? root.countBelow
    let node = ListTreeNode(id: nextNodeID(), level: root.level, isStored: false)
    node.takeContent(of: root)
    node.isDirty = true
    root.becomeInner(level: node.level + 1)
    root.isDirty = true
    root.insertEntry(childID: node.id, stamp: stamp, count: below, child: node, at: 0)
    return node
  }

  func newLeaf() -> ListTreeNode {
    loadedLeafCount += 1
    return ListTreeNode(
      id: nextNodeID(), leaf: ListLeafBuffer(format: format), isStored: false)
  }

  private func nextNodeID() -> UInt64 {
    let id = transaction.root.nextNodeID
    transaction.root.nextNodeID = id + 1
    return id
  }

  // MARK: - Moving content between siblings

  /// Moves elements between leaves, and updates every count above.
  private func moveElements(
    _ range: Range<Int>, from source: ListTreeNode, to target: ListTreeNode, at index: Int
  ) throws(StorageError) {
    guard let from = source.leaf, let to = target.leaf else { throw damaged() }
    try markChanged(source)
    try markChanged(target)
    to.insert(from: from, range, at: index)
    from.remove(range)
    addCount(-range.count, above: source)
    addCount(range.count, above: target)
  }

  /// Moves entries between inner nodes, and updates every count above.
  private func moveEntries(
    _ range: Range<Int>, from source: ListTreeNode, to target: ListTreeNode, at index: Int
  ) throws(StorageError) {
    try markChanged(source)
    try markChanged(target)
    let moved = source.counts[range].reduce(0, +)
    source.moveEntries(range, to: target, at: index)
    addCount(-moved, above: source)
    addCount(moved, above: target)
  }

  // MARK: - Merging

  /// Removes a node that has become empty, and merges or fills a node that has become small.
  ///
  /// - Precondition: the finger is dropped.
  func rebalance(_ node: ListTreeNode) throws(StorageError) {
    guard let parent = node.parent, let entry = parent.entry(of: node) else { return }
    if node.level == 0 ? node.leaf?.count == 0 : node.entryCount == 0 {
      return try removeEntry(entry, of: parent)
    }
    guard isSmall(node) else { return }
    // An only child has no sibling until its parent has been merged with a sibling.
    if parent.entryCount == 1 { try rebalance(parent) }
    guard let parent = node.parent, let entry = parent.entry(of: node), parent.entryCount > 1
    else { return }
    let first = max(entry - 1, 0)
    let left = try child(of: parent, at: first)
    let right = try child(of: parent, at: first + 1)
    if node.level == 0 {
      try rebalanceLeaves(left, right)
    } else {
      try rebalanceInner(left, right)
    }
  }

  private func rebalanceLeaves(
    _ left: ListTreeNode, _ right: ListTreeNode
  ) throws(StorageError) {
    guard let a = left.leaf, let b = right.leaf else { throw damaged() }
    let all = a.byteCount + b.byteCount - ListNode.headerBytes
    if all <= ListNode.maximumBytes {
      try moveElements(0..<b.count, from: right, to: left, at: a.count)
      try removeNode(right)
    } else if a.byteCount > b.byteCount {
      let cut = a.firstIndex(past: all / 2)
      guard cut > 0, cut < a.count else { return }
      try moveElements(cut..<a.count, from: left, to: right, at: 0)
    } else {
      let cut = b.firstIndex(past: b.byteCount - all / 2)
      guard cut > 0, cut < b.count,
        a.byteCount + b.byteCount(ofFirst: cut) <= ListNode.maximumBytes
      else { return }
      try moveElements(0..<cut, from: right, to: left, at: a.count)
    }
  }

  private func rebalanceInner(
    _ left: ListTreeNode, _ right: ListTreeNode
  ) throws(StorageError) {
    let all = left.entryCount + right.entryCount
    if all <= Self.maximumEntries {
      try moveEntries(0..<right.entryCount, from: right, to: left, at: left.entryCount)
      try removeNode(right)
    } else if left.entryCount > right.entryCount {
      try moveEntries(all / 2..<left.entryCount, from: left, to: right, at: 0)
    } else {
      try moveEntries(0..<right.entryCount - all / 2, from: right, to: left, at: left.entryCount)
    }
  }

  private func isSmall(_ node: ListTreeNode) -> Bool {
    if let leaf = node.leaf { return leaf.byteCount < Self.minimumLeafBytes }
    return node.entryCount < Self.minimumEntries
  }

  private func removeNode(_ node: ListTreeNode) throws(StorageError) {
    guard let parent = node.parent, let entry = parent.entry(of: node) else { throw damaged() }
    try removeEntry(entry, of: parent)
  }

  /// Removes an entry from an inner node, with the leaf or the emptied node to which it refers, and
  /// with the elements that it still counts.
  func removeEntry(_ entry: Int, of parent: ListTreeNode) throws(StorageError) {
    try markChanged(parent)
    addCount(-parent.counts[entry], above: parent)
    let child = parent.children[entry]
    if child?.isStored ?? true { removedIDs.append(parent.childIDs[entry]) }
    if child?.level == 0 { loadedLeafCount -= 1 }
    parent.removeEntry(at: entry)
    if parent.entryCount > 0 {
      if isSmall(parent) { try rebalance(parent) }
    } else if parent === root {
      root.becomeLeaf(ListLeafBuffer(format: format))
    } else {
      try rebalance(parent)
    }
  }

  /// Removes levels from the top while the root has a single child.
  func collapseRoot() throws(StorageError) {
    while root.level > 0, root.entryCount == 1 {
      let only = try child(of: root, at: 0)
      try markChanged(root)
      if only.isStored { removedIDs.append(only.id) }
      if only.level == 0 { loadedLeafCount -= 1 }
      root.takeContent(of: only)
    }
  }
}
