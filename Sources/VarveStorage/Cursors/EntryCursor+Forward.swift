extension EntryCursor {
  /// Moves forward to the first entry whose key is not less than `key`. A cursor on such an entry
  /// does not move.
  ///
  /// For a nearby key this is faster than a seek from the root: in the same leaf it touches one
  /// page. A cursor that is on no entry seeks from the root.
  ///
  /// - Returns: Whether there is such an entry; otherwise the cursor is after the last entry.
  /// - Complexity: O(log n) comparisons at most.
  package mutating func seekForward(key: UnsafeRawBufferPointer) -> Bool {
    guard engine == nil, position == .entry else {
      return isOnEntry && PageMap.compare(self.key, key) >= 0 ? true : seek(key: key)
    }
    if PageMap.compare(self.key, key) >= 0 { return true }
    // The lowest page on the path that can contain the key.
    var start = depth - 1
    var level = depth - 2
    while level >= 0 {
      let frame = frames[level]
      if frame.index + 1 < frame.count {
        guard let node = pages.node(frame.page, Int(frame.index) + 1) else { return seek(key: key) }
        if PageMap.compare(key, pages.key(node)) < 0 { break }
        start = level
      }
      level -= 1
    }
    return seek(key: key, fromLevel: start)
  }
}
