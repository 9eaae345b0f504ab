extension IDBlock {
  /// Adds an id that is not in the block and precedes all ids of the next block.
  ///
  /// - Returns: A block to be inserted after this one, if the ids do not fit into one block.
  mutating func insert(_ id: UInt64) -> IDBlock? {
    if isBitmap { return insertIntoBitmap(id) }
    guard words.count == Self.maximumWords else {
      words.reserveCapacity(Self.maximumWords)
      words.insert(id, at: lowerBound(id))
      count += 1
      return nil
    }
    if max(lastWord, id >> 6) - min(firstWord, id >> 6) < Self.maximumWords {
      becomeBitmap()
      return insertIntoBitmap(id)
    }
    return split(adding: id)
  }

  /// Moves the upper ids of a full block to a new one.
  private mutating func split(adding id: UInt64) -> IDBlock? {
    // An id added at the end is often followed by more, so the split leaves the first part three
    // quarters full instead of half.
    let isLast = id > words[words.count - 1]
    let cut = isLast ? words.count * 3 / 4 : words.count / 2
    var next = IDBlock(ids: Array(words[cut...]))
    words.removeSubrange(cut...)
    count = cut
    // Neither block is full.
    _ = id > next.words[0] ? next.insert(id) : insert(id)
    return next
  }

  private mutating func insertIntoBitmap(_ id: UInt64) -> IDBlock? {
    // The maximum capacity, which is less than the capacity of an array that grows by itself.
    words.reserveCapacity(Self.maximumWords)
    let word = id >> 6
    if word >= base, word - base < Self.maximumWords {
      let missing = Int(word - base) + 1 - words.count
      if missing > 0 { words.append(contentsOf: repeatElement(0, count: missing)) }
    } else if word < base, base - word + UInt64(words.count) <= Self.maximumWords {
      words.insert(contentsOf: repeatElement(0, count: Int(base - word)), at: 0)
      base = word
    } else {
      let alone = IDBlock(ids: [id])
      guard word < base else { return alone }
      defer { self = alone }
      return self
    }
    words[Int(word - base)] |= 1 << (id & 63)
    count += 1
    return nil
  }

  /// Removes the id at an index.
  mutating func remove(_ id: UInt64, at index: Int) {
    count -= 1
    guard isBitmap else {
      words.remove(at: index)
      return
    }
    words[Int(id >> 6 - base)] &= ~(1 << (id & 63))
    if count < Self.lowBitmapCount { return becomeIDs() }
    while let last = words.last, last == 0 { words.removeLast() }
    let zeros = words.prefix { $0 == 0 }.count
    guard zeros > 0 else { return }
    words.removeFirst(zeros)
    base += UInt64(zeros)
  }

  private mutating func becomeBitmap() {
    let ids = words
    words = Array(repeating: 0, count: Int(lastWord - firstWord) + 1)
    base = ids[0] >> 6
    for id in ids { words[Int(id >> 6 - base)] |= 1 << (id & 63) }
  }

  private mutating func becomeIDs() {
    var ids: [UInt64] = []
    ids.reserveCapacity(count)
    var cursor = cursor(at: 0)
    while let id = next(&cursor) { ids.append(id) }
    self = IDBlock(ids: ids)
  }

  var isLow: Bool { !isBitmap && count < Self.lowIDs }

  func canAppend(_ next: IDBlock) -> Bool {
    guard isBitmap || next.isBitmap else { return count + next.count <= Self.usualIDs }
    return next.lastWord - firstWord < Self.maximumWords
  }

  mutating func append(_ next: IDBlock) {
    defer { count += next.count }
    guard isBitmap || next.isBitmap else { return words.append(contentsOf: next.words) }
    if !isBitmap { becomeBitmap() }
    let missing = Int(next.lastWord - base) + 1 - words.count
    if missing > 0 { words.append(contentsOf: repeatElement(0, count: missing)) }
    guard next.isBitmap else {
      for id in next.words { words[Int(id >> 6 - base)] |= 1 << (id & 63) }
      return
    }
    // The two bitmaps may share a word.
    let start = Int(next.base - base)
    for (position, word) in next.words.enumerated() { words[start + position] |= word }
  }
}
