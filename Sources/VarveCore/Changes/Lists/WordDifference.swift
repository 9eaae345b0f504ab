/// The difference of two sequences of words, by Myers' algorithm in linear space (E. Myers, “An
/// O(ND) Difference Algorithm and Its Variations”, 1986, section 4b).
///
/// It is minimal if at most `maximumEdits` words are removed and inserted. Beyond that bound, words
/// that occur once on both sides serve as anchors (as many of them as are in the same order). The
/// words between two anchors are compared with the bound `maximumEditsBetweenAnchors`, and beyond
/// that bound position by position. The result is therefore always correct, but beyond the first
/// bound it may remove and insert more words than necessary.
///
/// Thread safety: a value for one thread.
struct WordDifference {
  static let maximumEdits = 1024
  static let maximumEditsBetweenAnchors = 64

  private let old: UnsafeBufferPointer<UInt64>
  private let new: UnsafeBufferPointer<UInt64>
  private var replacements: [ListReplacement] = []

  /// For each diagonal x - y, relative to the diagonal on which the search begins, the furthest
  /// position in the old words that the search has reached: forward from the beginning, backward
  /// from the end.
  private var forward: [Int] = []
  private var backward: [Int] = []

  private init(_ old: UnsafeBufferPointer<UInt64>, _ new: UnsafeBufferPointer<UInt64>) {
    self.old = old
    self.new = new
  }

  /// Returns the replacements that turn `old` into `new`: disjoint, non-adjacent, in ascending
  /// order.
  ///
  /// - Complexity: O((n + m) · edits) within the bound, in practice O(n + m + edits²). Beyond it
  ///   O((n + m) log(n + m)) for the words that occur once and at most O((n + m) ·
  ///   `maximumEditsBetweenAnchors`) for the others.
  static func replacements(_ old: [UInt64], _ new: [UInt64]) -> [ListReplacement] {
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        var difference = WordDifference(old, new)
        let (before, after) = difference.trimmed(0..<old.count, 0..<new.count)
        if !difference.compare(before, after, limit: maximumEdits) {
          difference.compareByAnchors(before, after)
        }
        return difference.replacements
      }
    }
  }

  private mutating func replace(_ before: Range<Int>, _ after: Range<Int>) {
    if before.isEmpty && after.isEmpty { return }
    if let last = replacements.last, last.old.upperBound == before.lowerBound,
      last.new.upperBound == after.lowerBound
    {
      replacements[replacements.count - 1] = ListReplacement(
        old: last.old.lowerBound..<before.upperBound, new: last.new.lowerBound..<after.upperBound)
    } else {
      replacements.append(ListReplacement(old: before, new: after))
    }
  }

  /// Returns two ranges without their common prefix and suffix.
  private func trimmed(
    _ before: Range<Int>, _ after: Range<Int>
  ) -> (old: Range<Int>, new: Range<Int>) {
    var (x, y) = (before.lowerBound, after.lowerBound)
    var (oldEnd, newEnd) = (before.upperBound, after.upperBound)
    while x < oldEnd, y < newEnd, old[x] == new[y] {
      x += 1
      y += 1
    }
    while x < oldEnd, y < newEnd, old[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    return (x..<oldEnd, y..<newEnd)
  }

  // MARK: - Minimal

  /// Finds the minimal difference of two ranges.
  ///
  /// - Returns: false, without a result, if the difference has more edits than the limit.
  private mutating func compare(_ before: Range<Int>, _ after: Range<Int>, limit: Int) -> Bool {
    let (before, after) = trimmed(before, after)
    if before.isEmpty || after.isEmpty {
      replace(before, after)
      return true
    }
    guard let middle = middle(before, after, limit: limit) else { return false }
    // Each half has half of the edits, so only the outermost call can exceed the limit.
    return compare(
      before.lowerBound..<middle.old, after.lowerBound..<middle.new, limit: limit)
      && compare(middle.old..<before.upperBound, middle.new..<after.upperBound, limit: limit)
  }

  /// Returns a point in the middle of a shortest path through two ranges. Searches run from both
  /// ends, one edit more at a time, until they meet.
  ///
  /// - Returns: nil if the searches have not met within the limit.
  private mutating func middle(
    _ before: Range<Int>, _ after: Range<Int>, limit: Int
  ) -> (old: Int, new: Int)? {
    guard abs(before.count - after.count) <= limit else { return nil }
    let rounds = (min(limit, before.count + after.count) + 1) / 2
    prepare(rounds)
    let first = before.lowerBound - after.lowerBound
    let last = before.upperBound - after.upperBound
    let lowest = before.lowerBound - after.upperBound
    let highest = before.upperBound - after.lowerBound
    let meetsForward = (first - last) & 1 != 0
    var (low, high) = (first, first)
    var (lowBack, highBack) = (last, last)
    let here = rounds + 1 - first
    let back = rounds + 1 - last
    forward[here + first] = before.lowerBound
    backward[back + last] = before.upperBound
    for _ in 0..<rounds {
      if low > lowest {
        low -= 1
        forward[here + low - 1] = -1
      } else {
        low += 1
      }
      if high < highest {
        high += 1
        forward[here + high + 1] = -1
      } else {
        high -= 1
      }
      for diagonal in stride(from: high, through: low, by: -2) {
        var x = max(forward[here + diagonal - 1] + 1, forward[here + diagonal + 1])
        var y = x - diagonal
        while x < before.upperBound, y < after.upperBound, old[x] == new[y] {
          x += 1
          y += 1
        }
        forward[here + diagonal] = x
        if meetsForward, lowBack <= diagonal, diagonal <= highBack,
          backward[back + diagonal] <= x
        {
          return (x, y)
        }
      }
      if lowBack > lowest {
        lowBack -= 1
        backward[back + lowBack - 1] = .max
      } else {
        lowBack += 1
      }
      if highBack < highest {
        highBack += 1
        backward[back + highBack + 1] = .max
      } else {
        highBack -= 1
      }
      for diagonal in stride(from: highBack, through: lowBack, by: -2) {
        var x = min(backward[back + diagonal - 1], backward[back + diagonal + 1] - 1)
        var y = x - diagonal
        while x > before.lowerBound, y > after.lowerBound, old[x - 1] == new[y - 1] {
          x -= 1
          y -= 1
        }
        backward[back + diagonal] = x
        if !meetsForward, low <= diagonal, diagonal <= high, x <= forward[here + diagonal] {
          return (x, y)
        }
      }
    }
    return nil
  }

  private mutating func prepare(_ rounds: Int) {
    let needed = 2 * rounds + 3
    guard forward.count < needed else { return }
    forward = [Int](repeating: 0, count: needed)
    backward = forward
  }

  // MARK: - By anchors

  private mutating func compareByAnchors(_ before: Range<Int>, _ after: Range<Int>) {
    var oldStart = before.lowerBound
    var newStart = after.lowerBound
    let anchors = CommonWords.inOrder(
      UnsafeBufferPointer(rebasing: old[before]), UnsafeBufferPointer(rebasing: new[after]))
    for anchor in anchors {
      let x = before.lowerBound + anchor.old
      let y = after.lowerBound + anchor.new
      compareBetweenAnchors(oldStart..<x, newStart..<y)
      oldStart = x + 1
      newStart = y + 1
    }
    compareBetweenAnchors(oldStart..<before.upperBound, newStart..<after.upperBound)
  }

  private mutating func compareBetweenAnchors(_ before: Range<Int>, _ after: Range<Int>) {
    if before.isEmpty || after.isEmpty { return replace(before, after) }
    let (before, after) = trimmed(before, after)
    if !compare(before, after, limit: Self.maximumEditsBetweenAnchors) {
      compareInPlace(before, after)
    }
  }

  /// Pairs the words at equal positions. The surplus at the end counts as removed or inserted.
  private mutating func compareInPlace(_ before: Range<Int>, _ after: Range<Int>) {
    let shared = min(before.count, after.count)
    for (x, y) in zip(before.prefix(shared), after.prefix(shared)) where old[x] != new[y] {
      replace(x..<x + 1, y..<y + 1)
    }
    replace(before.dropFirst(shared), after.dropFirst(shared))
  }
}
