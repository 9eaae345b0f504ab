import VarveEncoding
import VarveStorage

/// Finds the elements that differ between old leaves and the new leaves at the same position.
///
/// Leaves are read only as far as the comparison needs. The common prefix and the common suffix are
/// skipped element by element, and if one side has no other elements the rest of the other side is
/// not read.
///
/// Thread safety: a value for one thread.
struct ListElementComparison {
  /// Above this number, elements are compared in portions to limit the memory. Each portion of the
  /// old elements is then compared with the same portion of the new ones, so the result is correct
  /// but not minimal.
  static let maximumWindow = 1 << 20

  private let form: ListElementForm
  private var old: ListElementRun
  private var new: ListElementRun
  /// The words of elements that have no word of their own.
  private var wordsOfKeys: [ListElementKey: UInt64] = [:]
  private var wordsOfBlobs = BlobWords()
  private let window: Int

  init(
    _ old: ListElementRun, _ new: ListElementRun, _ form: ListElementForm,
    window: Int = maximumWindow
  ) {
    self.form = form
    self.old = old
    self.new = new
    self.window = window
  }

  /// Appends the replacements that turn the old list into the new one, in ascending order.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: the cost of `WordDifference`, plus skipping the common prefix and suffix.
  mutating func append(to replacements: inout [ListReplacement]) throws(StorageError) {
    let limit = min(old.count, new.count)
    let prefix = try commonPrefix(limit)
    let suffix = try commonSuffix(limit - prefix)
    var before = prefix..<old.count - suffix
    var after = prefix..<new.count - suffix
    while !before.isEmpty || !after.isEmpty {
      let isLast = before.isEmpty || after.isEmpty
      let oldEnd = isLast ? before.upperBound : min(before.lowerBound + window, before.upperBound)
      let newEnd = isLast ? after.upperBound : min(after.lowerBound + window, after.upperBound)
      try compare(
        before.lowerBound..<oldEnd, after.lowerBound..<newEnd, appendingTo: &replacements)
      before = oldEnd..<before.upperBound
      after = newEnd..<after.upperBound
    }
  }

  /// Whether both sides have equal elements in the same order.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: O(elements) up to the first that differs.
  mutating func areEqual() throws(StorageError) -> Bool {
    guard old.count == new.count else { return false }
    return try areEqual(old: 0, new: 0, count: old.count)
  }

  /// Whether `count` elements of both sides, each from its offset, are equal in the same order.
  mutating func areEqual(
    old oldOffset: Int, new newOffset: Int, count: Int
  ) throws(StorageError) -> Bool {
    try commonPrefix(count, old: oldOffset, new: newOffset) == count
  }

  private mutating func compare(
    _ before: Range<Int>, _ after: Range<Int>, appendingTo replacements: inout [ListReplacement]
  ) throws(StorageError) {
    // One element replaced by another, the usual case, has already been compared.
    if before.isEmpty || after.isEmpty || (before.count == 1 && after.count == 1 && isWhole) {
      replacements.append(
        ListReplacement(old: before, new: after).shifted(old: old.start, new: new.start))
      return
    }
    wordsOfKeys = [:]
    wordsOfBlobs = BlobWords()
    if !form.hasWords { wordsOfKeys.reserveCapacity(before.count + after.count) }
    let oldWords = try words(of: old, before)
    let newWords = try words(of: new, after)
    for found in WordDifference.replacements(oldWords, newWords) {
      replacements.append(
        found.shifted(old: old.start + before.lowerBound, new: new.start + after.lowerBound))
    }
  }

  /// Whether there is only one portion, both ends of which are known to differ.
  private var isWhole: Bool { old.count <= window && new.count <= window }

  // MARK: - Equal beginnings and ends

  /// Returns the number of equal elements at the beginning of both sides, each from its offset.
  private mutating func commonPrefix(
    _ limit: Int, old oldBegin: Int = 0, new newBegin: Int = 0
  ) throws(StorageError) -> Int {
    var length = 0
    while length < limit {
      let before = try old.span(at: oldBegin + length)
      let after = try new.span(at: newBegin + length)
      let end = min(
        before.offsets.upperBound - oldBegin, after.offsets.upperBound - newBegin, limit)
      while length < end {
        guard try areEqual(before, oldBegin + length, after, newBegin + length) else {
          return length
        }
        length += 1
      }
    }
    return length
  }

  /// Returns the number of equal elements at the end of both sides.
  private mutating func commonSuffix(_ limit: Int) throws(StorageError) -> Int {
    var length = 0
    while length < limit {
      let before = try old.span(at: old.count - 1 - length)
      let after = try new.span(at: new.count - 1 - length)
      let oldLength = old.count - before.offsets.lowerBound
      let newLength = new.count - after.offsets.lowerBound
      let end = min(oldLength, newLength, limit)
      while length < end {
        guard try areEqual(before, old.count - 1 - length, after, new.count - 1 - length) else {
          return length
        }
        length += 1
      }
    }
    return length
  }

  @inline(__always)
  private func areEqual(
    _ before: ListElementRun.Span, _ oldOffset: Int, _ after: ListElementRun.Span, _ newOffset: Int
  ) throws(StorageError) -> Bool {
    let oldIndex = oldOffset - before.offsets.lowerBound
    let newIndex = newOffset - after.offsets.lowerBound
    if form.hasWords, let left = before.packed, let right = after.packed {
      return form.word(left, at: oldIndex) == form.word(right, at: newIndex)
    }
    let (oldKey, newKey) = (try key(before.leaf, oldIndex), try key(after.leaf, newIndex))
    guard let left = oldKey.blob, let right = newKey.blob else { return oldKey == newKey }
    guard oldKey.type == newKey.type else { return false }
    return try StoredBlob(reference: left, snapshot: old.snapshot)
      .hasSameBytes(as: StoredBlob(reference: right, snapshot: new.snapshot))
  }

  private func key(_ leaf: ListLeaf, _ index: Int) throws(StorageError) -> ListElementKey {
    do throws(FormatError) {
      return try form.key(leaf, at: index)
    } catch {
      throw old.damaged()
    }
  }

  // MARK: - Words

  /// Returns a word for each element of a range; words are equal only for equal elements.
  private mutating func words(
    of run: ListElementRun, _ offsets: Range<Int>
  ) throws(StorageError) -> [UInt64] {
    var run = run
    var words: [UInt64] = []
    words.reserveCapacity(offsets.count)
    var offset = offsets.lowerBound
    while offset < offsets.upperBound {
      let span = try run.span(at: offset)
      let first = offset - span.offsets.lowerBound
      offset = min(span.offsets.upperBound, offsets.upperBound)
      for index in first..<offset - span.offsets.lowerBound {
        if form.hasWords, let packed = span.packed {
          words.append(form.word(packed, at: index))
        } else {
          words.append(try word(of: try key(span.leaf, index), run.snapshot))
        }
      }
    }
    return words
  }

  private mutating func word(
    of key: ListElementKey, _ snapshot: Snapshot
  ) throws(StorageError) -> UInt64 {
    if let blob = key.blob {
      // The high bit keeps these words distinct from the words of other elements.
      return 1 << 63
        | UInt64(
          try wordsOfBlobs.word(of: StoredBlob(reference: blob, snapshot: snapshot), key.type))
    }
    let next = UInt64(wordsOfKeys.count)
    // One lookup, whether or not the key is new.
    return { (word: inout UInt64) in word }(&wordsOfKeys[key, default: next])
  }
}
