/// Consecutive ids of an `IDSet`: the ids themselves, or the words of a bitmap, whichever is
/// shorter.
///
/// At most 1 KiB: 128 ids, or a bitmap over up to 8192 ids.
struct IDBlock: CountedLeaf {
  static let maximumWords = 128
  /// The number of ids at which a bitmap becomes an array of ids. An array becomes a bitmap at 129.
  static let lowBitmapCount = 64
  /// The number of ids in a newly built block, and the maximum of a block merged from two.
  static let usualIDs = 96
  /// A block with fewer ids is merged with a neighbor.
  static let lowIDs = 32

  /// The ids in ascending order, or the bitmap. The first and the last word of a bitmap are not 0.
  var words: [UInt64] = []

  /// The number of ids.
  var count = 0

  /// The number of the bitmap's first word: id / 64. Without a bitmap, a number that no word has.
  var base = Self.noBitmap

  private static let noBitmap = UInt64.max

  init() {}

  /// Creates a block of at most 128 ids in ascending order.
  init(ids: [UInt64]) {
    words = ids
    count = ids.count
  }

  /// Creates a block with a bitmap whose first and last words are not 0.
  init(bitmap: [UInt64], base: UInt64, count: Int) {
    words = bitmap
    self.base = base
    self.count = count
  }

  var isBitmap: Bool { base != Self.noBitmap }

  var firstKey: UInt64 {
    isBitmap ? base << 6 | UInt64(words[0].trailingZeroBitCount) : words[0]
  }

  /// The number of the word that contains the last id.
  var lastWord: UInt64 {
    isBitmap ? base + UInt64(words.count - 1) : words[words.count - 1] >> 6
  }

  /// The number of the word that contains the first id.
  var firstWord: UInt64 { isBitmap ? base : words[0] >> 6 }

  /// Returns the number of ids less than `id`, and whether `id` is in the block.
  func locate(_ id: UInt64) -> (index: Int, isMember: Bool) {
    guard isBitmap else {
      let index = lowerBound(id)
      return (index, index < words.count && words[index] == id)
    }
    let word = id >> 6
    guard word >= base else { return (0, false) }
    guard word - base < UInt64(words.count) else { return (count, false) }
    let position = Int(word - base)
    let bit = 1 << (id & 63) as UInt64
    let below = (words[position] & (bit - 1)).nonzeroBitCount
    return (count(before: position) + below, words[position] & bit != 0)
  }

  /// Returns the number of ids less than `id` in a block without a bitmap.
  func lowerBound(_ id: UInt64) -> Int {
    words.countAscending { $0 < id }
  }

  /// Returns the number of ids in the bitmap's words before a position, counted from the nearer
  /// end.
  private func count(before position: Int) -> Int {
    var found = 0
    if position * 2 <= words.count {
      for word in words[..<position] { found += word.nonzeroBitCount }
      return found
    }
    for word in words[position...] { found += word.nonzeroBitCount }
    return count - found
  }

  /// Returns a cursor at the id with the given index.
  func cursor(at index: Int) -> IDBlockCursor {
    guard isBitmap else { return IDBlockCursor(position: index) }
    var position = 0
    var left = index
    while position < words.count, left >= words[position].nonzeroBitCount {
      left -= words[position].nonzeroBitCount
      position += 1
    }
    guard position < words.count else { return IDBlockCursor(position: position) }
    var bits = words[position]
    for _ in 0..<left { bits &= bits - 1 }
    return IDBlockCursor(position: position, bits: bits)
  }

  /// - Returns: The next id, or nil after the last one.
  func next(_ cursor: inout IDBlockCursor) -> UInt64? {
    guard isBitmap else {
      guard cursor.position < words.count else { return nil }
      defer { cursor.position += 1 }
      return words[cursor.position]
    }
    while cursor.bits == 0 {
      cursor.position += 1
      guard cursor.position < words.count else { return nil }
      cursor.bits = words[cursor.position]
    }
    defer { cursor.bits &= cursor.bits - 1 }
    let word = base + UInt64(cursor.position)
    return word << 6 | UInt64(cursor.bits.trailingZeroBitCount)
  }
}

/// A position among the ids of a block.
struct IDBlockCursor {
  /// The index of the id, or of the bitmap's word.
  var position: Int

  /// The bits of the bitmap's word that are still to be read.
  var bits: UInt64 = 0
}
