extension EntryCursor {
  /// Moves to the first entry.
  ///
  /// - Returns: Whether there is one.
  /// - Complexity: O(depth).
  package mutating func seekFirst() -> Bool {
    if let engine { return engine.seekFirst() }
    return descend(from: root, level: 0, toLast: false) || leave(.end)
  }

  /// Moves to the last entry.
  ///
  /// - Returns: Whether there is one.
  /// - Complexity: O(depth).
  package mutating func seekLast() -> Bool {
    if let engine { return engine.seekLast() }
    return descend(from: root, level: 0, toLast: true) || leave(.beginning)
  }

  /// Moves to the first entry whose key is not less than `key`.
  ///
  /// - Returns: Whether there is one; otherwise the cursor is after the last entry.
  /// - Complexity: O(log n) comparisons.
  package mutating func seek(key: UnsafeRawBufferPointer) -> Bool {
    if let engine { return engine.seek(key) }
    guard depth > 0 else { return leave(.end) }
    return seek(key: key, below: root, level: 0)
  }

  /// Moves to the first entry whose key is not less than `key`, searching from a page on the path
  /// to the current entry.
  ///
  /// - Precondition: The cursor is on an entry of a tree over pages, and the key belongs below that
  ///   page.
  mutating func seek(key: UnsafeRawBufferPointer, fromLevel level: Int) -> Bool {
    seek(key: key, below: frames[level].page.u64(0), level: level)
  }

  private mutating func seek(
    key: UnsafeRawBufferPointer, below start: UInt64, level top: Int
  ) -> Bool {
    var number = start
    for level in top..<(depth - 1) {
      guard let page = pages.page(number, PageLayout.branch),
        let index = pages.childIndex(page, key: key), let node = pages.node(page, index)
      else { return damaged(number) }
      setFrame(level, page, index)
      number = pages.child(node)
    }
    guard let page = pages.page(number, PageLayout.leaf),
      let index = pages.lowerBound(page, key: key)
    else { return damaged(number) }
    return land(page, index)
  }

  /// Moves to the first entry of a table with integer keys whose key is not less than `id`.
  ///
  /// - Returns: Whether there is one; otherwise the cursor is after the last entry.
  /// - Complexity: O(log n).
  package mutating func seek(id: UInt64) -> Bool {
    if let engine { return withUnsafeBytes(of: id) { engine.seek($0) } }
    guard depth > 0 else { return leave(.end) }
    var number = root
    for level in 0..<(depth - 1) {
      guard let page = pages.page(number, PageLayout.branch),
        let index = pages.childIndex(page, id: id), let node = pages.node(page, index)
      else { return damaged(number) }
      setFrame(level, page, index)
      number = pages.child(node)
    }
    guard let page = pages.page(number, PageLayout.leaf),
      let index = pages.lowerBound(page, id: id)
    else { return damaged(number) }
    return land(page, index)
  }

  /// Moves to the last entry of a table with integer keys whose key is not greater than `id`.
  ///
  /// - Returns: Whether there is one.
  /// - Complexity: O(log n).
  package mutating func seekLast(notAfter id: UInt64) -> Bool {
    guard id < .max, seek(id: id + 1) else { return seekLast() }
    return previous()
  }

  /// Moves to the next entry.
  ///
  /// - Returns: Whether there is one; otherwise the cursor is after the last entry.
  /// - Complexity: O(1) amortized.
  @inlinable
  package mutating func next() -> Bool {
    if let engine { return engine.next() }
    if position == .entry {
      let leaf = depth &- 1
      let index = frames[leaf].index &+ 1
      if index < frames[leaf].count {
        if let node = pages.node(frames[leaf].page, Int(index)) {
          frames[leaf].index = index
          self.node = node
          return true
        }
      }
    }
    return turnLeaf(isForward: true)
  }

  /// Moves to the previous entry.
  ///
  /// - Returns: Whether there is one; otherwise the cursor is before the first entry.
  /// - Complexity: O(1) amortized.
  @inlinable
  package mutating func previous() -> Bool {
    if let engine { return engine.previous() }
    if position == .entry {
      let leaf = depth &- 1
      let index = frames[leaf].index &- 1
      if index >= 0, let node = pages.node(frames[leaf].page, Int(index)) {
        frames[leaf].index = index
        self.node = node
        return true
      }
    }
    return turnLeaf(isForward: false)
  }

  /// Moves to the first entry of the next leaf, or to the last entry of the previous leaf.
  @usableFromInline @inline(never)
  mutating func turnLeaf(isForward: Bool) -> Bool {
    switch position {
    case .unset: return isForward ? seekFirst() : seekLast()
    case .beginning: return isForward && seekFirst()
    case .end: return !isForward && seekLast()
    case .entry: break
    }
    let leaf = frames[depth - 1]
    let isAtEdge = isForward ? leaf.index + 1 >= leaf.count : leaf.index <= 0
    guard isAtEdge else { return damaged(leaf.page.u64(0)) }
    var level = depth - 2
    while level >= 0 {
      let frame = frames[level]
      let index = Int(frame.index) + (isForward ? 1 : -1)
      if index >= 0, index < Int(frame.count) {
        // The later of the two paths has the separator of the two leaves.
        guard let node = pages.node(frame.page, index),
          let bound = isForward ? node : pages.node(frame.page, index + 1)
        else { return damaged(frame.page.u64(0)) }
        frames[level].index = Int32(index)
        guard descend(from: pages.child(node), level: level + 1, toLast: !isForward) else {
          return false
        }
        let new = frames[depth - 1]
        return isBetween(isForward ? leaf : new, bound, isForward ? new : leaf)
          || damaged(new.page.u64(0))
      }
      level -= 1
    }
    return leave(isForward ? .end : .beginning)
  }

  /// Descends along one edge of the tree below a page.
  private mutating func descend(from start: UInt64, level: Int, toLast: Bool) -> Bool {
    guard depth > 0 else { return false }
    var number = start
    for level in level..<depth {
      let isLeaf = level == depth - 1
      guard let page = pages.page(number, isLeaf ? PageLayout.leaf : PageLayout.branch) else {
        return damaged(number)
      }
      let index = toLast ? pages.entryCount(page) - 1 : 0
      guard let node = pages.node(page, index) else { return damaged(number) }
      setFrame(level, page, index)
      if isLeaf {
        self.node = node
        position = .entry
        return true
      }
      number = pages.child(node)
    }
    return false
  }

  /// Moves to an entry of a leaf, or to the first entry after the leaf.
  private mutating func land(_ page: UnsafeRawPointer, _ index: Int) -> Bool {
    setFrame(depth - 1, page, index)
    position = .entry
    let count = pages.entryCount(page)
    // In a page with the content of another page, a key sorts before or after all entries.
    if depth > 1, index == 0 || index == count, !isBounded { return damaged(page.u64(0)) }
    guard index < count else {
      frames[depth - 1].index -= 1
      return turnLeaf(isForward: true)
    }
    guard let node = pages.node(page, index) else { return damaged(page.u64(0)) }
    self.node = node
    return true
  }

  @inline(__always)
  mutating func setFrame(_ level: Int, _ page: UnsafeRawPointer, _ index: Int) {
    frames[level] = Frame(
      page: page, index: Int32(truncatingIfNeeded: index),
      count: Int32(truncatingIfNeeded: pages.entryCount(page)))
  }

  private mutating func leave(_ position: CursorPosition) -> Bool {
    self.position = position
    return false
  }

  private mutating func damaged(_ page: UInt64) -> Bool {
    snapshot?.noteDamage(page: page)
    return leave(.end)
  }
}
