import VarveEncoding
import VarveStorage

// Loading stored nodes into memory, and releasing them.

extension ListEditor {
  /// Deeper than any list can be: an endless tree of single-entry nodes is damage.
  static let maximumLevels = 16

  /// Reads the root and determines the number of levels of the tree.
  func loadRoot() throws(StorageError) {
    guard let bytes = try nodeBytes(ListNodeKey.root, stamp: stamp) else { return }
    if try isLeaf(bytes) {
      guard let buffer = root.leaf else { return }
      try load(try parseLeaf(bytes), into: buffer)
      root.isStored = true
      count = buffer.count
      return
    }
    let inner = try parseInner(bytes)
    let level = try levels(below: inner)
    root = ListTreeNode(id: ListNodeKey.root, level: level, isStored: true)
    try fill(root, from: inner)
    count = root.countBelow
  }

  /// Reads the elements of a list in a row. They are not stored as nodes, so a flush writes them.
  func loadElements(_ content: CollectionContent) throws(StorageError) {
    guard let buffer = root.leaf, let bytes = content.bytes,
      let leaf = try? ListLeaf(elements: bytes, count: content.count, format: format)
    else { throw damaged() }
    try load(leaf, into: buffer)
    count = buffer.count
    root.isDirty = true
    needsFlush = true
  }

  /// Returns the level of an inner node, found by descending along the first children.
  private func levels(below top: ListInner) throws(StorageError) -> Int {
    var inner = top
    for level in 1...Self.maximumLevels {
      guard inner.count > 0 else { throw damaged() }
      let first = inner.child(at: 0)
      guard let bytes = try nodeBytes(first.nodeID, stamp: first.stamp) else { throw damaged() }
      if try isLeaf(bytes) { return level }
      inner = try parseInner(bytes)
    }
    throw damaged()
  }

  /// Returns the child below an entry, and loads it if needed.
  func child(of parent: ListTreeNode, at entry: Int) throws(StorageError) -> ListTreeNode {
    if let child = parent.children[entry] { return child }
    if parent.level == 1 { return try loadLeaf(parent, entry) }
    guard let bytes = try nodeBytes(parent.childIDs[entry], stamp: parent.stamps[entry]) else {
      throw damaged()
    }
    let node = ListTreeNode(
      id: parent.childIDs[entry], level: parent.level - 1, isStored: true)
    try fill(node, from: try parseInner(bytes))
    guard node.countBelow == parent.counts[entry] else { throw damaged() }
    parent.setChild(node, at: entry)
    return node
  }

  /// Loads the leaf below an entry of a node of level 1 for changes.
  func loadLeaf(_ parent: ListTreeNode, _ entry: Int) throws(StorageError) -> ListTreeNode {
    let buffer = try copy(try storedLeaf(parent, entry))
    let node = ListTreeNode(id: parent.childIDs[entry], leaf: buffer, isStored: true)
    parent.setChild(node, at: entry)
    loadedLeafCount += 1
    return node
  }

  /// Returns the stored bytes of a leaf that is not in memory.
  ///
  /// They are valid for the life of the transaction if the entry's stamp is older than the
  /// transaction, otherwise until the transaction writes.
  func storedLeaf(_ parent: ListTreeNode, _ entry: Int) throws(StorageError) -> ListLeaf {
    guard let bytes = try nodeBytes(parent.childIDs[entry], stamp: parent.stamps[entry]) else {
      throw damaged()
    }
    let leaf = try parseLeaf(bytes)
    guard leaf.count == parent.counts[entry] else { throw damaged() }
    return leaf
  }

  private func fill(_ node: ListTreeNode, from inner: ListInner) throws(StorageError) {
    var sum = 0
    for index in 0..<inner.count {
      let entry = inner.child(at: index)
      guard entry.count > 0 else { throw damaged() }
      sum += Int(entry.count)
      node.insertEntry(
        childID: entry.nodeID, stamp: entry.stamp, count: Int(entry.count), child: nil,
        at: index)
    }
    guard sum > 0 else { throw damaged() }
  }

  /// Returns the bytes of a node: from the snapshot at which the transaction began if the node has
  /// not been changed since, otherwise from the transaction.
  ///
  /// - Returns: The bytes; nil if there is no such node.
  private func nodeBytes(
    _ id: UInt64, stamp nodeStamp: UInt64
  ) throws(StorageError) -> UnsafeRawBufferPointer? {
    let isUnchanged = nodeStamp < stamp || isInMemoryOnly
    let bytes = ListNodeKey(listID: listID, nodeID: id).withBytes { key in
      isUnchanged
        ? transaction.base.find(.lists, key: key) : transaction.find(.lists, key: key)
    }
    // A failed transaction reads the state before it, which may not contain these nodes.
    if let failure = transaction.failure, !isInMemoryOnly { throw failure }
    return bytes
  }

  private func isLeaf(_ bytes: UnsafeRawBufferPointer) throws(StorageError) -> Bool {
    do throws(FormatError) {
      return try ListNode.kind(of: bytes) == .leaf
    } catch {
      throw damaged()
    }
  }

  private func copy(_ leaf: ListLeaf) throws(StorageError) -> ListLeafBuffer {
    let buffer = ListLeafBuffer(format: format)
    try load(leaf, into: buffer)
    return buffer
  }

  private func load(_ leaf: ListLeaf, into buffer: ListLeafBuffer) throws(StorageError) {
    do throws(FormatError) {
      try buffer.load(leaf)
    } catch {
      throw damaged()
    }
  }

  private func parseLeaf(_ bytes: UnsafeRawBufferPointer) throws(StorageError) -> ListLeaf {
    // A longer node could be read, but not written again.
    guard bytes.count <= ListNode.maximumBytes else { throw damaged() }
    do throws(FormatError) {
      return try ListLeaf(validating: bytes, format: format)
    } catch {
      throw damaged()
    }
  }

  private func parseInner(_ bytes: UnsafeRawBufferPointer) throws(StorageError) -> ListInner {
    guard bytes.count <= ListNode.maximumBytes else { throw damaged() }
    do throws(FormatError) {
      return try ListInner(validating: bytes)
    } catch {
      throw damaged()
    }
  }

  /// Returns the error for damaged nodes, and marks the environment as damaged.
  func damaged() -> StorageError {
    let environment = transaction.environment
    let error = StorageError(.corrupted, "A list's nodes are damaged.", path: environment.path)
    environment.markDamaged(error)
    return error
  }

  // MARK: - Bounded memory

  /// Writes and releases the loaded leaves if there are many.
  ///
  /// - Returns: Whether it did.
  @discardableResult
  func spillIfNeeded() throws(StorageError) -> Bool {
    guard loadedLeafCount > maximumLoadedLeaves else { return false }
    try flush()
    finger = nil
    openTail = nil
    unloadLeaves(below: root)
    loadedLeafCount = 0
    return true
  }

  private func unloadLeaves(below node: ListTreeNode) {
    if node.level == 1 {
      node.unloadChildren()
    } else {
      for child in node.children {
        if let child { unloadLeaves(below: child) }
      }
    }
  }
}
