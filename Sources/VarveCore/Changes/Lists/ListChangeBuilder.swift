import VarveEncoding
import VarveStorage

/// Builds a change set from the replacements in a list.
///
/// Within one replacement, the first old element and the first new one are the same element,
/// modified, and so on. The surplus elements of the longer side are deletions or insertions. An
/// object that moved is excluded from this pairing: it is a deletion and an insertion.
///
/// Thread safety: a value for one thread.
struct ListChangeBuilder {
  /// The number of removed and inserted elements (the lower of the two) above which moves are not
  /// searched for.
  static let maximumMoves = 1 << 20

  private let replacements: ListReplacements
  private var changes = IndexChanges()
  /// The old indexes of the moved elements, ascending.
  private var sources: [Int] = []
  private var nextSource = 0
  /// The index of the next entry of `changes.moves`, whose new indexes ascend.
  private var nextMove = 0

  private init(_ replacements: ListReplacements) { self.replacements = replacements }

  /// Returns the changes from the old list to the new one.
  ///
  /// - Parameters:
  ///   - replacements: The replacements between the two versions.
  ///   - isOnce: For a list of objects, whether an object that is removed once and inserted once
  ///     occurs once in both versions; nil to skip the search for moves.
  /// - Throws: `.corrupted`.
  /// - Complexity: O(replacements); with moves O(replaced elements).
  static func changes(
    _ replacements: ListReplacements, isOnce: ((UInt64) throws(StorageError) -> Bool)? = nil
  ) throws(StorageError) -> IndexChanges {
    var builder = ListChangeBuilder(replacements)
    if let isOnce { try builder.findMoves(isOnce) }
    for index in replacements.all.indices { try builder.append(index) }
    return builder.changes
  }

  // MARK: - Moves

  private mutating func findMoves(
    _ isOnce: (UInt64) throws(StorageError) -> Bool
  ) throws(StorageError) {
    let oldCount = replacements.count(.old)
    let newCount = replacements.count(.new)
    let shorter = min(oldCount, newCount)
    guard shorter > 0, shorter <= Self.maximumMoves else { return }
    let (first, second): (ListReplacements.Side, ListReplacements.Side) =
      oldCount == shorter ? (.old, .new) : (.new, .old)
    var words = CommonWords(capacity: shorter)
    try replacements.forEach(first) { words.addFirst($0, at: $1) }
    try replacements.forEach(second) { words.addSecond($0, at: $1) }
    for pair in words.pairs where try isOnce(pair.word) {
      changes.moves.append(
        first == .old
          ? IndexChanges.Move(from: pair.first, to: pair.second)
          : IndexChanges.Move(from: pair.second, to: pair.first))
    }
    changes.moves.sort { $0.to < $1.to }
    sources = changes.moves.map(\.from).sorted()
  }

  // MARK: - Deletions, insertions and modifications

  private mutating func append(_ index: Int) throws(StorageError) {
    let replacement = replacements.all[index]
    let left = sourcesLeaving(replacement.old)
    let arrived = movesArriving(replacement.new)
    if !left.isEmpty || !arrived.isEmpty {
      return try append(index, without: left, and: arrived)
    }
    let (old, new) = (replacement.old, replacement.new)
    let both = min(old.count, new.count)
    changes.modifications.append(old.prefix(both))
    changes.deletions.append(old.dropFirst(both))
    changes.newModifications.append(new.prefix(both))
    changes.insertions.append(new.dropFirst(both))
  }

  private mutating func sourcesLeaving(_ indexes: Range<Int>) -> ArraySlice<Int> {
    let begin = nextSource
    while nextSource < sources.count, sources[nextSource] < indexes.upperBound { nextSource += 1 }
    return sources[begin..<nextSource]
  }

  private mutating func movesArriving(_ indexes: Range<Int>) -> [Int] {
    let begin = nextMove
    while nextMove < changes.moves.count, changes.moves[nextMove].to < indexes.upperBound {
      nextMove += 1
    }
    return changes.moves[begin..<nextMove].map(\.to)
  }

  /// Appends a replacement that contains moved objects.
  private mutating func append(
    _ index: Int, without left: ArraySlice<Int>, and arrived: [Int]
  ) throws(StorageError) {
    let old = replacements.all[index].old
    let new = replacements.all[index].new
    let stayedOld = Self.indexes(of: old, without: left)
    let stayedNew = Self.indexes(of: new, without: arrived[...])
    let both = min(stayedOld.count, stayedNew.count)
    // Without the moved elements, an object that occurs several times here may be paired with
    // itself.
    let oldWords = both == 0 ? [] : try replacements.words(ofReplacement: index, .old)
    let newWords = both == 0 ? [] : try replacements.words(ofReplacement: index, .new)
    let keptOld = stayedOld.prefix(both)
    let keptNew = stayedNew.prefix(both)
    for (before, after) in zip(keptOld, keptNew)
    where oldWords[before - old.lowerBound] != newWords[after - new.lowerBound] {
      changes.modifications.append(before)
      changes.newModifications.append(after)
    }
    for index in Self.indexes(of: old, without: keptOld) { changes.deletions.append(index) }
    for index in Self.indexes(of: new, without: keptNew) { changes.insertions.append(index) }
  }

  /// Returns the indexes of a range that are not among the given ones, which ascend.
  private static func indexes(of range: Range<Int>, without others: ArraySlice<Int>) -> [Int] {
    var indexes: [Int] = []
    indexes.reserveCapacity(range.count - others.count)
    var next = others.startIndex
    for index in range {
      if next < others.endIndex, others[next] == index { next += 1 } else { indexes.append(index) }
    }
    return indexes
  }
}
