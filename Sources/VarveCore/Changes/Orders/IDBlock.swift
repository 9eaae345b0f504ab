/// Neighbouring ids of an `IDSet`: the ids themselves, or the words of a bitmap, whichever is shorter.
///
/// At most 1 KiB: 128 ids, or a bitmap over up to 8192.
struct IDBlock: CountedLeaf {
  static let maximumWords = 128
  /// How many ids are left when ids take over from a bitmap; the other way it takes 129.
  static let lowBitmapCount = 64
  /// What a built block of ids holds, and at most one that is put together from two.
  static let usualIDs = 96
  /// A block of fewer ids is joined with a neighbour.
  static let lowIDs = 32

  /// The ids in ascending order, or the bitmap, which starts and ends with a word that is not 0.
  var words: [UInt64] = []

  /// How many ids there are.
  var count = 0

  /// The number of the bitmap's first word: id / 64. Where there is no bitmap, a number that no
  /// word has.
  var base = Self.noBitmap

  private static let noBitmap = UInt64.max

  init() {}

  /// At most 128 ids in ascending order.
  init(ids: [UInt64]) {
    words = ids
    count = ids.count
  }

  /// A bitmap that starts and ends with a word that is not 0.
  init(bitmap: [UInt64], base: UInt64, count: Int) {
    words = bitmap
    self.base = base
    self.count = count
  }

  var isBitmap: Bool { base != Self.noBitmap }

  var firstKey: UInt64 {
    isBitmap ? base << 6 | UInt64(words[0].trailingZeroBitCount) : words[0]
  }

  /// The number of the word that the last id is in.
  var lastWord: UInt64 {
    isBitmap ? base + UInt64(words.count - 1) : words[words.count - 1] >> 6
  }

  /// The number of the word that the first id is in.
  var firstWord: UInt64 { isBitmap ? base : words[0] >> 6 }

  /// How many ids are below the id, and whether it is here.
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

  /// Among ids, how many are below the id.
  func lowerBound(_ id: UInt64) -> Int {
    words.countAscending { $0 < id }
  }

  /// How many ids the bitmap's words before one hold; counted from the nearer end.
  private func count(before position: Int) -> Int {
    var found = 0
    if position * 2 <= words.count {
      for word in words[..<position] { found += word.nonzeroBitCount }
      return found
    }
    for word in words[position...] { found += word.nonzeroBitCount }
    return count - found
  }

  /// The ids from an index on.
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

  /// - Returns: nil after the last id.
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

/// A place among the ids of a block.
struct IDBlockCursor {
  /// Of the id, or of the bitmap's word.
  var position: Int

  /// What is left of the bitmap's word.
  var bits: UInt64 = 0
}
