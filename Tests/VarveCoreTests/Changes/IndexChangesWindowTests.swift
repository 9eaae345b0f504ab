import Testing
import VarveTestSupport

@testable import VarveCore

@Suite struct IndexChangesWindowTests {
  @Test func aWindowSeesWhatSlidesInAndOut() throws {
    var random = SeededRandom()
    for _ in 0..<60 {
      let rows = OrderedTestRows.random(random.below(12), keys: 20, &random)
      let (changes, batch) = try Self.changes(of: rows, size: 4, &random)
      let ends = max(batch.before.count, batch.after.count) + 1
      for offset in 0...ends {
        for limit in Array(0...ends) + [.max] {
          expect(changes, batch, offset, limit, "\(random) \(offset) \(limit)")
        }
      }
    }
  }

  @Test func windowsOfLargerCollections() throws {
    var random = SeededRandom()
    for step in 0..<20 {
      let rows = OrderedTestRows.random(600, keys: 400, &random)
      let (changes, batch) = try Self.changes(of: rows, size: step % 4 == 0 ? 300 : 8, &random)
      for _ in 0..<10 {
        let offset = random.below(random.pick([1, 700]))
        expect(changes, batch, offset, random.below(700), "\(random)")
      }
    }
  }

  /// Random changes of an order.
  private static func changes(
    of rows: OrderedTestRows, size: Int, _ random: inout SeededRandom
  ) throws -> (IndexChanges, OrderedTestBatch) {
    var order = try rows.orderedIDs()
    var nextID: UInt64 = 1000
    let batch = OrderedTestBatch(rows, size: size, keys: 400, &nextID, &random)
    return (
      try #require(try order.apply(batch.edits, old: rows.order, new: batch.new.order)), batch
    )
  }

  private func expect(
    _ full: IndexChanges, _ batch: OrderedTestBatch, _ offset: Int, _ limit: Int,
    _ comment: Comment
  ) {
    let changes = full.window(
      offset: offset, limit: limit, oldCount: batch.before.count, newCount: batch.after.count)
    let old = Array(batch.before.dropFirst(offset).prefix(limit))
    let new = Array(batch.after.dropFirst(offset).prefix(limit))
    changes.expectLead(from: old, to: new, comment)
    let moved = Set(full.moves.map { batch.before[$0.from] })
    let staying = Set(old).intersection(new).subtracting(moved)
    #expect(changes.deletions.map { old[$0] } == old.filter { !staying.contains($0) }, comment)
    #expect(changes.insertions.map { new[$0] } == new.filter { !staying.contains($0) }, comment)
    let modified = Set(full.modifications.map { batch.before[$0] }).intersection(staying)
    #expect(changes.modifications.map { old[$0] } == old.filter(modified.contains), comment)
    let both = moved.intersection(old).intersection(new)
    #expect(changes.moves.map { old[$0.from] } == new.filter(both.contains), comment)
  }

  @Test func noChangesAreNoneInAnyWindow() {
    #expect(IndexChanges().window(limit: 3, oldCount: 10, newCount: 10).isEmpty)
    #expect(IndexChanges().window(offset: 20, limit: 3, oldCount: 10, newCount: 10).isEmpty)
    #expect(IndexChanges().window(limit: 3, oldCount: 0, newCount: 0).isEmpty)
  }

  @Test func changesBehindTheWindowAreNone() {
    var set = IDSet(0..<1000)
    let changes = set.apply(removed: [500], inserted: [2000], modified: [10, 700])
    #expect(changes.window(limit: 10, oldCount: 1000, newCount: 1000).isEmpty)
    let window = changes.window(offset: 10, limit: 1000, oldCount: 1000, newCount: 1000)
    #expect(window.modifications == [0, 690] && window.newModifications == [0, 689])
    #expect(window.deletions == [490] && window.insertions == [989])
  }
}
