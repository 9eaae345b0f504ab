import VarveEncoding
import VarveStorage

// Finding and loading nodes.

extension ListEditor {
  /// A leaf, either loaded in memory or unchanged in the snapshot.
  enum LeafContent {
    case loaded(ListLeafBuffer)
    case stored(ListLeaf)
  }

  /// A leaf with the index of its first element.
  struct LeafPosition {
    var content: LeafContent
    var start: Int

    var count: Int {
      switch content {
      case .loaded(let leaf): leaf.count
      case .stored(let leaf): leaf.count
      }
    }

    func bits(at offset: Int, _ shape: PackedShape) -> UInt64? {
      switch content {
      case .loaded(let leaf): leaf.bits(at: offset, shape)
      case .stored(let leaf): leaf.bits(at: offset, shape)
      }
    }

    func element(at offset: Int) -> UnsafeRawBufferPointer? {
      switch content {
      case .loaded(let leaf): leaf.element(at: offset)
      case .stored(let leaf): leaf.element(at: offset)
      }
    }
  }

  /// The entry of a leaf in its parent, and the index of the leaf's first element.
  struct LeafEntry {
    var parent: ListTreeNode
    var entry: Int
    var start: Int
    var count: Int { parent.counts[entry] }
  }

  /// Finds the leaf of an element for reading, and records the error if it fails.
  func locate(_ index: Int) -> LeafPosition? {
    do throws(StorageError) {
      return try leafForReading(index)
    } catch {
      if damage == nil { damage = error }
      return nil
    }
  }

  func leafForReading(_ index: Int) throws(StorageError) -> LeafPosition {
    try checkUsable()
    resolve()
    guard let location = try leafEntry(of: index) else {
      guard let leaf = root.leaf else { throw damaged() }
      return LeafPosition(content: .loaded(leaf), start: 0)
    }
    if let leaf = location.parent.children[location.entry]?.leaf {
      return LeafPosition(content: .loaded(leaf), start: location.start)
    }
    if location.parent.stamps[location.entry] == stamp {
      let node = try loadLeaf(location.parent, location.entry)
      guard let leaf = node.leaf else { throw damaged() }
      return LeafPosition(content: .loaded(leaf), start: location.start)
    }
    let leaf = try storedLeaf(location.parent, location.entry)
    view = leaf
    viewStart = location.start
    return LeafPosition(content: .stored(leaf), start: location.start)
  }

  /// Returns the entry of the leaf that contains an element, or nil if the root is the leaf.
  func leafEntry(of index: Int) throws(StorageError) -> LeafEntry? {
    guard root.level > 0 else { return nil }
    var node = root
    var start = 0
    while true {
      guard let found = node.find(index - start) else { throw damaged() }
      start += found.start
      if node.level == 1 { return LeafEntry(parent: node, entry: found.entry, start: start) }
      node = try child(of: node, at: found.entry)
    }
  }

  /// Moves the finger to the leaf that contains an element, and marks the leaf as changed.
  ///
  /// - Parameters:
  ///   - index: The index of the element; for an insertion, the index of the new element, which may
  ///     be the end of the list.
  ///   - isInsertion: Whether an element is to be inserted there.
  /// - Returns: The leaf, and the element's offset in it.
  /// - Throws: The engine's error, or `.corrupted` for damaged nodes.
  func leafForChange(
    _ index: Int, isInsertion: Bool
  ) throws(StorageError) -> (node: ListTreeNode, leaf: ListLeafBuffer, offset: Int) {
    try checkUsable()
    openTail = nil
    if let finger, let leaf = finger.leaf {
      let offset = index - fingerStart
      if offset >= 0, offset < leaf.count || (isInsertion && offset == leaf.count) {
        if !finger.isDirty { try markChanged(finger) }
        return (finger, leaf, offset)
      }
    }
    resolve()
    try spillIfNeeded()
    finger = nil
    view = nil
    var node = root
    var start = 0
    while node.level > 0 {
      // An insertion between two entries goes to the first of them, so that the end is found as
      // well.
      guard let found = node.find(index - start - (isInsertion ? 1 : 0)) else { throw damaged() }
      start += found.start
      node = try child(of: node, at: found.entry)
    }
    guard let leaf = node.leaf else { throw damaged() }
    try markChanged(node)
    finger = node
    fingerStart = start
    return (node, leaf, index - start)
  }

  /// Updates the count for elements that an edit has added to the finger's leaf or removed from it.
  /// Cached positions after that leaf are discarded.
  func noteShift(by delta: Int) {
    count += delta
    fingerDelta += delta
    view = nil
  }

  /// Adds the finger's pending difference to the counts up to the root.
  func resolve() {
    guard fingerDelta != 0 else { return }
    let delta = fingerDelta
    fingerDelta = 0
    if let finger { addCount(delta, above: finger) }
  }

  /// Drops the finger after the tree around it has changed.
  func dropFinger() {
    resolve()
    finger = nil
    openTail = nil
    view = nil
  }

  /// Adds to the counts of every entry on the path to a node.
  func addCount(_ delta: Int, above node: ListTreeNode) {
    var node = node
    while let parent = node.parent, let entry = parent.entry(of: node) {
      parent.addCount(delta, at: entry)
      node = parent
    }
  }

  /// Marks a node, and the path to it, as changed.
  func markChanged(_ node: ListTreeNode) throws(StorageError) {
    needsFlush = true
    var node = node
    while !node.isDirty {
      node.isDirty = true
      guard let parent = node.parent else { return }
      guard let entry = parent.entry(of: node) else { throw damaged() }
      parent.setStamp(stamp, at: entry)
      node = parent
    }
  }

  /// Whether a node is the last one of its level.
  func isLast(_ node: ListTreeNode) -> Bool {
    var node = node
    while let parent = node.parent {
      guard let last = parent.children.last, last === node else { return false }
      node = parent
    }
    return true
  }

  func checkUsable() throws(StorageError) {
    if let damage { throw damage }
  }
}
