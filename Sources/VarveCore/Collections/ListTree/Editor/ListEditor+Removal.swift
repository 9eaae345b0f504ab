import VarveEncoding
package import VarveStorage

extension ListEditor {
  /// Removes the element at an index.
  ///
  /// - Throws: The engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(log n), O(1) next to the last change.
  /// - Precondition: the index is within bounds.
  package func remove(at index: Int) throws(StorageError) {
    precondition(index >= 0 && index < count, "List index is out of bounds.")
    let location = try leafForChange(index, isInsertion: false)
    location.leaf.remove(location.offset..<location.offset + 1)
    noteShift(by: -1)
    if location.leaf.byteCount < Self.minimumLeafBytes, location.node !== root {
      dropFinger()
      try rebalance(location.node)
      try collapseRoot()
    }
  }

  /// Removes the elements of a range of indexes.
  ///
  /// - Throws: The engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(log n + leaves that the range covers); covered leaves are not read.
  /// - Precondition: the range is within bounds.
  package func removeSubrange(_ range: Range<Int>) throws(StorageError) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "List range is out of bounds.")
    if range.isEmpty { return }
    if range.count == count { return try removeAll() }
    try checkUsable()
    var remaining = range.count
    while remaining > 0 {
      resolve()
      let whole = try leafEntry(of: range.lowerBound)
      if let whole, whole.start == range.lowerBound, whole.count <= remaining {
        let removed = whole.count
        dropFinger()
        try removeEntry(whole.entry, of: whole.parent)
        count -= removed
        remaining -= removed
      } else {
        let location = try leafForChange(range.lowerBound, isInsertion: false)
        let removed = min(remaining, location.leaf.count - location.offset)
        location.leaf.remove(location.offset..<location.offset + removed)
        noteShift(by: -removed)
        remaining -= removed
      }
    }
    dropFinger()
    try rebalance(around: range.lowerBound)
  }

  /// Removes every element.
  ///
  /// - Complexity: O(1) here, O(nodes) at the next `flush()`.
  package func removeAll() throws(StorageError) {
    try checkUsable()
    guard count > 0 else { return }
    removesStoredNodes = removesStoredNodes || root.isStored || !removedIDs.isEmpty
    removedIDs = []
    clear()
    needsFlush = true
  }

  /// Removes every element whose raw bits match, in one pass; nulls stay.
  ///
  /// - Returns: The number of removed elements.
  /// - Throws: The engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(n); only leaves that lose an element are written.
  @discardableResult
  package func removeAll(where matching: (UInt64) -> Bool) throws(StorageError) -> Int {
    let before = count
    var position = 0
    while position < count {
      let location = try leafForReading(position)
      guard let first = firstMatch(in: location, from: position - location.start, matching) else {
        position = location.start + location.count
        continue
      }
      let (node, leaf, offset) = try leafForChange(location.start + first, isInsertion: false)
      let removed = leaf.removeAll(from: offset, shape, where: matching)
      noteShift(by: -removed)
      position = fingerStart + leaf.count
      if leaf.byteCount < Self.minimumLeafBytes, node !== root {
        dropFinger()
        try rebalance(node)
      }
    }
    dropFinger()
    try collapseRoot()
    return before - count
  }

  private func firstMatch(
    in location: LeafPosition, from start: Int, _ matching: (UInt64) -> Bool
  ) -> Int? {
    for offset in start..<location.count {
      if let bits = location.bits(at: offset, shape), matching(bits) { return offset }
    }
    return nil
  }

  /// Merges nodes that a change has left small on both sides of a position.
  func rebalance(around position: Int) throws(StorageError) {
    for neighbor in [position, position - 1] where neighbor >= 0 && neighbor < count {
      guard let location = try leafEntry(of: neighbor) else { return }
      if location.parent.children[location.entry] == nil {
        // A modified leaf is loaded, or was written since and has the stamp.
        if location.parent.stamps[location.entry] != stamp { continue }
        let leaf = try storedLeaf(location.parent, location.entry)
        if leaf.nodeByteCount >= Self.minimumLeafBytes { continue }
      }
      try rebalance(try child(of: location.parent, at: location.entry))
    }
    try collapseRoot()
  }
}
