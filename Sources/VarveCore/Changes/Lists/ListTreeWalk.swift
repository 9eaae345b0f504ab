import VarveEncoding
import VarveStorage

/// Walks the trees of two versions of a list in parallel.
///
/// Thread safety: a value for one thread.
struct ListTreeWalk {
  /// New readers of the two versions.
  let oldReader: ListNodeReader
  let newReader: ListNodeReader
  private var old: ListNodeReader
  private var new: ListNodeReader
  private let sharesNodes: Bool

  init(_ list: ListDifference, _ old: Snapshot, _ new: Snapshot) {
    oldReader = ListNodeReader(list.oldContent, format: list.format, snapshot: old)
    newReader = ListNodeReader(list.newContent, format: list.format, snapshot: new)
    self.old = oldReader
    self.new = newReader
    sharesNodes = list.oldContent.id == list.newContent.id && old.sharesIDs(with: new)
  }

  /// Calls a closure with the gaps between the nodes that both versions share, in order.
  ///
  /// - Parameter body: Receives leaves, or nodes of any level if one side is empty. Returns whether
  ///   to continue.
  /// - Throws: `.corrupted`, and the errors of the closure.
  mutating func forEachGap(
    _ body: (ListNodeGap) throws(StorageError) -> Bool
  ) throws(StorageError) {
    var before = try old.root()
    var after = try new.root()
    while before.level > after.level, !after.isEmpty { before = try old.children(of: before) }
    while after.level > before.level, !before.isEmpty { after = try new.children(of: after) }
    if before.isEmpty && after.isEmpty { return }
    _ = try forEachGap(in: ListNodeGap(old: before, new: after), body)
  }

  /// - Returns: false if the closure stopped the walk.
  private mutating func forEachGap(
    in gap: ListNodeGap, _ body: (ListNodeGap) throws(StorageError) -> Bool
  ) throws(StorageError) -> Bool {
    if gap.old.isEmpty || gap.new.isEmpty || gap.old.level == 0 { return try body(gap) }
    let before = try old.children(of: gap.old)
    let after = try new.children(of: gap.new)
    guard sharesNodes else { return try forEachGap(in: ListNodeGap(old: before, new: after), body) }
    for gap in ListNodeGap.gaps(before, after) {
      guard try forEachGap(in: gap, body) else { return false }
    }
    return true
  }
}
