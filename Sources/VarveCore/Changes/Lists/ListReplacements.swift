import VarveEncoding
import VarveStorage

/// All replacements between two versions of a list, and the nodes that contain them.
///
/// Thread safety: a value for one thread.
struct ListReplacements {
  /// One of the two versions.
  enum Side {
    case old
    case new
  }

  /// The replacements, ascending on both sides; the ranges of two of them may touch.
  private(set) var all: [ListReplacement] = []
  /// The gaps that contain the elements of replacements, and the indexes of these replacements.
  private var parts: [(gap: ListNodeGap, replacements: Range<Int>)] = []
  private let oldReader: ListNodeReader
  private let newReader: ListNodeReader
  private let form: ListElementForm

  init(_ oldReader: ListNodeReader, _ newReader: ListNodeReader) {
    self.oldReader = oldReader
    self.newReader = newReader
    form = ListElementForm(oldReader.format)
  }

  /// Compares the elements below the nodes of a gap.
  ///
  /// - Parameter gap: A gap of leaves, or of nodes of any level if one of its sides is empty.
  ///   Nothing is read in the latter case.
  /// - Throws: `.corrupted`.
  mutating func append(_ gap: ListNodeGap) throws(StorageError) {
    let first = all.count
    if gap.old.isEmpty || gap.new.isEmpty {
      all.append(ListReplacement(old: gap.old.indexes, new: gap.new.indexes))
    } else {
      var comparison = ListElementComparison(
        ListElementRun(gap.old, oldReader), ListElementRun(gap.new, newReader), form)
      try comparison.append(to: &all)
    }
    if first < all.count { parts.append((gap, first..<all.count)) }
  }

  /// Removes redundant replacements: stretches in which as many elements were removed as were
  /// inserted elsewhere, and all elements between them equal the elements that were at their
  /// positions.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: O(replacements), plus O(elements of such a stretch) up to the first that
  ///   differs.
  mutating func dropEqualStretches() throws(StorageError) {
    var isDropped = [Bool](repeating: false, count: all.count)
    var first = 0
    for (index, last) in all.enumerated() {
      let begin = all[first]
      guard last.old.upperBound - begin.old.lowerBound == last.new.upperBound - begin.new.lowerBound
      else { continue }
      if first < index {
        let isSame = try ListElementComparison.areEqual(
          oldReader, newReader, form, at: begin.old.lowerBound..<last.old.upperBound,
          and: begin.new.lowerBound)
        if isSame { for dropped in first...index { isDropped[dropped] = true } }
      }
      first = index + 1
    }
    if isDropped.contains(true) { drop(isDropped) }
  }

  private mutating func drop(_ isDropped: [Bool]) {
    let (oldAll, oldParts) = (all, parts)
    all = []
    parts = []
    for part in oldParts {
      let begin = all.count
      for position in part.replacements where !isDropped[position] { all.append(oldAll[position]) }
      if begin < all.count { parts.append((part.gap, begin..<all.count)) }
    }
  }

  /// Returns the number of replaced elements.
  func count(_ side: Side) -> Int {
    all.reduce(0) { $0 + Self.indexes($1, side).count }
  }

  static func indexes(_ replacement: ListReplacement, _ side: Side) -> Range<Int> {
    side == .old ? replacement.old : replacement.new
  }

  /// Calls a closure with the word and the index of each replaced element, in order.
  ///
  /// - Throws: `.corrupted`.
  /// - Precondition: the elements have words.
  func forEach(
    _ side: Side, _ body: (UInt64, Int) -> Void
  ) throws(StorageError) {
    for part in parts { try forEach(side, part.gap, part.replacements, body) }
  }

  /// Calls a closure with the word and the index of each element replaced by some replacements of
  /// one gap.
  private func forEach(
    _ side: Side, _ gap: ListNodeGap, _ replacements: Range<Int>, _ body: (UInt64, Int) -> Void
  ) throws(StorageError) {
    var reader = side == .old ? oldReader : newReader
    let nodes = side == .old ? gap.old : gap.new
    if nodes.isEmpty { return }
    var run = ListElementRun(try reader.leaves(below: nodes), reader)
    for replacement in all[replacements] {
      let indexes = Self.indexes(replacement, side)
      var offset = indexes.lowerBound - run.start
      while offset < indexes.upperBound - run.start {
        let span = try run.span(at: offset)
        guard let elements = span.packed else { throw run.damaged() }
        let end = min(span.offsets.upperBound, indexes.upperBound - run.start)
        while offset < end {
          body(form.word(elements, at: offset - span.offsets.lowerBound), run.start + offset)
          offset += 1
        }
      }
    }
  }

  /// Returns the words of the elements of one replacement.
  ///
  /// - Throws: `.corrupted`.
  /// - Precondition: the elements have words.
  func words(ofReplacement index: Int, _ side: Side) throws(StorageError) -> [UInt64] {
    var words: [UInt64] = []
    let part = parts.countAscending { $0.replacements.upperBound <= index }
    try forEach(side, parts[part].gap, index..<index + 1) { word, _ in words.append(word) }
    return words
  }
}
