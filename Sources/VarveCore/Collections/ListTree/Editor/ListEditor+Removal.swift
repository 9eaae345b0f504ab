import VarveEncoding
package import VarveStorage

extension ListEditor {
  /// Removes the element at an index.
  ///
  /// - Throws: the engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(log n), O(1) beside the last change.
  /// - Precondition: the index is within bounds.
  package func remove(at index: Int) throws(StorageError) {
    precondition(index >= 0 && index < count, "List index is out of bounds.")
    let place = try leafForChange(index, isInsertion: false)
    place.leaf.remove(place.offset..<place.offset + 1)
    noteShift(by: -1)
    if place.leaf.byteCount < Self.minimumLeafBytes, place.node !== root {
      dropFinger()
      try rebalance(place.node)
      try collapseRoot()
    }
  }

  /// Removes the elements of a range of indices.
  ///
  /// - Throws: the engine's error, or `.corrupted` for damaged nodes.
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
        let place = try leafForChange(range.lowerBound, isInsertion: false)
        let removed = min(remaining, place.leaf.count - place.offset)
        place.leaf.remove(place.offset..<place.offset + removed)
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
    removedIDs = []
    removesStoredNodes = true
    clear()
    needsFlush = true
  }

  /// Removes every element whose raw bits match, in one pass; nulls stay.
  ///
  /// - Returns: how many were removed.
  /// - Throws: the engine's error, or `.corrupted` for damaged nodes.
  /// - Complexity: O(n); only leaves that lose an element are written.
  @discardableResult
  package func removeAll(where matching: (UInt64) -> Bool) throws(StorageError) -> Int {
    let before = count
    var position = 0
    while position < count {
      let place = try leafForReading(position)
      guard let first = firstMatch(in: place, from: position - place.start, matching) else {
        position = place.start + place.count
        continue
      }
      let (node, leaf, offset) = try leafForChange(place.start + first, isInsertion: false)
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
    in place: LeafPosition, from start: Int, _ matching: (UInt64) -> Bool
  ) -> Int? {
    for offset in start..<place.count {
      if let bits = place.bits(at: offset, shape), matching(bits) { return offset }
    }
    return nil
  }

  /// Merges what a change has left small on both sides of a position.
  func rebalance(around position: Int) throws(StorageError) {
    for neighbour in [position, position - 1] where neighbour >= 0 && neighbour < count {
      guard let place = try leafEntry(of: neighbour) else { return }
      if place.parent.children[place.entry] == nil {
        // A leaf that was touched is loaded, or was written since and carries the stamp.
        if place.parent.stamps[place.entry] != stamp { continue }
        let leaf = try storedLeaf(place.parent, place.entry)
        if leaf.byteCount >= Self.minimumLeafBytes { continue }
      }
      try rebalance(try child(of: place.parent, at: place.entry))
    }
    try collapseRoot()
  }
}
