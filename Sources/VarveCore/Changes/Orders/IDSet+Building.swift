extension IDSet {
  /// Builds a set from ids in any order.
  ///
  /// - Complexity: O(n) if the ids ascend; O(log n) for each id that is out of order.
  package init(_ ids: some Sequence<UInt64>) {
    var builder = IDBlockBuilder()
    var late: [UInt64] = []
    for id in ids {
      if !builder.append(id) { late.append(id) }
    }
    tree = CountedTree(leaves: builder.finish())
    _ = apply(inserted: late)
  }
}

/// Groups ascending ids into blocks, as bitmaps where they are dense enough.
private struct IDBlockBuilder {
  private var blocks: [IDBlock] = []

  /// Ids that are too sparse for a bitmap.
  private var scattered: [UInt64] = []

  /// The bitmap words from the first id after `scattered`, at most as many as a block's bitmap has.
  private var window: [UInt64] = []
  private var base: UInt64 = 0
  private var windowCount = 0

  private var last: UInt64?

  /// - Returns: false for an id that is not greater than all ids before it; such an id is skipped.
  mutating func append(_ id: UInt64) -> Bool {
    if let last, id <= last { return false }
    last = id
    let word = id >> 6
    if windowCount > 0, word - base >= IDBlock.maximumWords { closeWindow() }
    if windowCount == 0 { base = word }
    while UInt64(window.count) <= word - base { window.append(0) }
    window[window.count - 1] |= 1 << (id & 63)
    windowCount += 1
    return true
  }

  mutating func finish() -> [IDBlock] {
    closeWindow()
    closeScattered()
    return blocks
  }

  private mutating func closeWindow() {
    defer {
      window.removeAll(keepingCapacity: true)
      windowCount = 0
    }
    let block = IDBlock(bitmap: window, base: base, count: windowCount)
    guard windowCount <= IDBlock.maximumWords else {
      closeScattered()
      blocks.append(block)
      // The block owns the buffer.
      window = []
      window.reserveCapacity(IDBlock.maximumWords)
      return
    }
    var cursor = block.cursor(at: 0)
    while let id = block.next(&cursor) {
      if scattered.count == IDBlock.usualIDs { closeScattered() }
      scattered.append(id)
    }
  }

  private mutating func closeScattered() {
    guard !scattered.isEmpty else { return }
    blocks.append(IDBlock(ids: scattered))
    // The block owns the buffer.
    scattered = []
    scattered.reserveCapacity(IDBlock.usualIDs)
  }
}
