import VarveEncoding

/// Consecutive nodes of one level of a list's tree, and the indexes of their elements in the list.
struct ListNodeRun {
  /// The level of the nodes: 0 for leaves, otherwise one more than the children's level.
  let level: Int
  /// The index of the first element below the nodes.
  let start: Int
  /// The number of elements below the nodes.
  let count: Int
  let entries: ArraySlice<ListInnerEntry>

  init(level: Int, start: Int, entries: ArraySlice<ListInnerEntry>) {
    self.level = level
    self.start = start
    self.entries = entries
    var count = 0
    for entry in entries { count += Int(entry.count) }
    self.count = count
  }

  var isEmpty: Bool { entries.isEmpty }

  /// The indexes of the elements below.
  var indexes: Range<Int> { start..<start + count }

  /// Returns the nodes that contain the given indexes.
  func holding(_ indexes: Range<Int>) -> ListNodeRun {
    var first = entries.startIndex
    var start = start
    while first < entries.endIndex, start + Int(entries[first].count) <= indexes.lowerBound {
      start += Int(entries[first].count)
      first += 1
    }
    var end = first
    var next = start
    while end < entries.endIndex, next < indexes.upperBound {
      next += Int(entries[end].count)
      end += 1
    }
    return ListNodeRun(level: level, start: start, entries: entries[first..<end])
  }
}

/// The nodes between two nodes that both versions of a list share: old nodes, and the new nodes at
/// the same position. At most one side is empty.
struct ListNodeGap {
  let old: ListNodeRun
  let new: ListNodeRun

  /// Returns the gaps between the nodes that two runs of one level have in common.
  ///
  /// Nodes keep their order: no split, merge or balancing of two siblings moves an entry past
  /// another one. One pass over both runs therefore finds all common nodes. If the order differs
  /// the lists are damaged, and fewer are found.
  ///
  /// - Complexity: O(entries).
  static func gaps(_ old: ListNodeRun, _ new: ListNodeRun) -> [ListNodeGap] {
    var walk = Walk(old, new)
    var oldPositions: [UInt64: Int]?
    while walk.old < old.entries.endIndex, walk.new < new.entries.endIndex {
      let before = old.entries[walk.old]
      let after = new.entries[walk.new]
      if before == after {
        walk.passCommonNode(before)
      } else if before.nodeID == after.nodeID {
        walk.old += 1
        walk.new += 1
      } else {
        let positions = oldPositions ?? Self.positions(old.entries[walk.old...])
        oldPositions = positions
        if let position = positions[after.nodeID], position > walk.old {
          walk.old = position
        } else {
          walk.new += 1
        }
      }
    }
    walk.old = old.entries.endIndex
    walk.new = new.entries.endIndex
    walk.closeGap()
    return walk.gaps
  }

  private static func positions(_ entries: ArraySlice<ListInnerEntry>) -> [UInt64: Int] {
    var positions = [UInt64: Int](minimumCapacity: entries.count)
    for index in entries.indices { positions[entries[index].nodeID] = index }
    return positions
  }

  /// The position of the walk along two runs, and the start of the open gap.
  private struct Walk {
    private let oldRun: ListNodeRun
    private let newRun: ListNodeRun
    var old: Int
    var new: Int
    private var oldBegin: Int
    private var newBegin: Int
    private var oldStart: Int
    private var newStart: Int
    private(set) var gaps: [ListNodeGap] = []

    init(_ oldRun: ListNodeRun, _ newRun: ListNodeRun) {
      self.oldRun = oldRun
      self.newRun = newRun
      old = oldRun.entries.startIndex
      new = newRun.entries.startIndex
      oldBegin = old
      newBegin = new
      oldStart = oldRun.start
      newStart = newRun.start
    }

    mutating func closeGap() {
      guard oldBegin < old || newBegin < new else { return }
      let before = ListNodeRun(
        level: oldRun.level, start: oldStart, entries: oldRun.entries[oldBegin..<old])
      let after = ListNodeRun(
        level: newRun.level, start: newStart, entries: newRun.entries[newBegin..<new])
      gaps.append(ListNodeGap(old: before, new: after))
      oldStart += before.count
      newStart += after.count
    }

    mutating func passCommonNode(_ entry: ListInnerEntry) {
      closeGap()
      oldStart += Int(entry.count)
      newStart += Int(entry.count)
      old += 1
      new += 1
      oldBegin = old
      newBegin = new
    }
  }
}
