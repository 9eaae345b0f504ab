import Testing
import VarveTestSupport

@testable import VarveCore

/// Two versions of some rows, and the edits that transform one order into the other.
struct OrderedTestBatch {
  let old: OrderedTestRows
  let edits: OrderEdits
  let new: OrderedTestRows

  /// The ids in order.
  let before: [UInt64]
  let after: [UInt64]

  init(_ old: OrderedTestRows, _ edits: OrderEdits, _ new: OrderedTestRows) {
    self.old = old
    self.edits = edits
    self.new = new
    before = old.sorted
    after = new.sorted
  }

  /// Creates random edits of up to `size` objects of each kind. Some of the rekeyed objects keep
  /// their keys, and most of the others get a key nearby.
  init(
    _ old: OrderedTestRows, size: Int, keys: Int, _ nextID: inout UInt64,
    _ random: inout SeededRandom
  ) {
    var new = old
    var edits = OrderEdits()
    var ids = old.sorted.shuffled(using: &random)
    for id in ids.suffix(random.below(size + 1)) {
      edits.removed.append(old.entry(id))
      new.keys[id] = nil
      ids.removeLast()
    }
    for id in ids.suffix(random.below(size + 1)) {
      edits.modified.append(old.entry(id))
      ids.removeLast()
    }
    for id in ids.suffix(random.below(size + 1)) {
      let key = old.keys[id] ?? 0
      switch random.below(3) {
      case 0: break
      case 1: new.keys[id] = UInt64(random.below(keys))
      default: new.keys[id] = key + UInt64(random.below(max(2, keys / 50)))
      }
      edits.rekeyed.append(
        .init(id: id, old: old.entry(id).prefix, new: new.entry(id).prefix))
    }
    for _ in 0..<random.below(size + 1) {
      new.keys[nextID] = UInt64(random.below(keys))
      edits.inserted.append(new.entry(nextID))
      nextID += 1
    }
    self.init(old, edits, new)
  }

  /// Expects the changes to match these edits, with the minimum number of moves.
  func expect(_ changes: IndexChanges, _ comment: Comment) {
    changes.expectLead(from: before, to: after, comment)
    let removed = Set(edits.removed.map(\.id))
    let inserted = Set(edits.inserted.map(\.id))
    let rekeyed = Set(edits.rekeyed.map(\.id))
    let moved = Set(changes.moves.map { before[$0.from] })
    #expect(moved.isSubset(of: rekeyed), comment)
    #expect(Set(changes.deletions.map { before[$0] }) == removed.union(moved), comment)
    #expect(Set(changes.insertions.map { after[$0] }) == inserted.union(moved), comment)
    #expect(
      Set(changes.modifications.map { before[$0] })
        == rekeyed.subtracting(moved).union(edits.modified.map(\.id)), comment)
    #expect(moved.count == leastMoves(before, after, rekeyed), comment)
  }

  /// The minimum number of rekeyed objects that must move when all other objects keep their
  /// positions: the rekeyed objects outside a longest common subsequence that contains all the
  /// others.
  private func leastMoves(_ before: [UInt64], _ after: [UInt64], _ rekeyed: Set<UInt64>) -> Int {
    var oldIndexes: [UInt64: Int] = [:]
    for (index, id) in before.enumerated() { oldIndexes[id] = index }
    let common = after.compactMap { id in oldIndexes[id].map { (index: $0, id: id) } }
    // Finds the heaviest ascending subsequence, in which one mandatory element weighs more than all
    // optional elements together. A Fenwick tree keeps the largest weight of the subsequences that
    // end at or before each index.
    var heaviest = Array(repeating: 0, count: before.count + 1)
    for element in common {
      var weight = rekeyed.contains(element.id) ? 1 : 100_000
      var below = 0
      var index = element.index
      while index > 0 {
        below = max(below, heaviest[index])
        index &= index - 1
      }
      weight += below
      index = element.index + 1
      while index < heaviest.count {
        heaviest[index] = max(heaviest[index], weight)
        index += index & -index
      }
    }
    let staying = (heaviest.max() ?? 0) % 100_000
    return rekeyed.count - staying
  }
}
