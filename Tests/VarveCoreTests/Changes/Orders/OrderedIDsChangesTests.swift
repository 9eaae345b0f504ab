import Testing
import VarveTestSupport

@testable import VarveCore

@Suite struct OrderedIDsChangesTests {
  @Test(arguments: [1, 30, 1_000_000])
  func randomBatchesReportChanges(keys: Int) throws {
    var random = SeededRandom()
    var rows = OrderedTestRows.random(400, keys: keys, &random)
    var order = try rows.orderedIDs()
    var nextID: UInt64 = 1000
    for step in 0..<120 {
      let size = step % 50 == 0 ? 150 : random.below(12)
      let batch = OrderedTestBatch(rows, size: size, keys: keys, &nextID, &random)
      let before = order
      let changes = try #require(
        try order.apply(batch.edits, old: rows.order, new: batch.new.order))
      batch.expect(changes, "\(random)")
      #expect(order.map(\.id) == batch.after, "\(random)")
      #expect(before.map(\.id) == batch.before, "\(random)")
      order.expectSound("\(random)")
      var again = before
      let same = try #require(try again.apply(batch.edits, old: rows.order, new: batch.new.order))
      #expect(same == changes, "\(random)")
      rows = batch.new
    }
  }

  @Test func allObjectsMayChangeAtOnce() throws {
    var random = SeededRandom()
    let rows = OrderedTestRows.random(3000, keys: 500, &random)
    for newRows in [
      OrderedTestRows.random(3000, keys: 500, &random), rows,
      OrderedTestRows(keys: rows.keys.mapValues { 500 - $0 }),
    ] {
      var order = try rows.orderedIDs()
      var edits = OrderEdits()
      for id in rows.keys.keys {
        let (old, new) = (rows.entry(id), newRows.entry(id))
        edits.rekeyed.append(.init(id: id, old: old.prefix, new: new.prefix))
      }
      let changes = try #require(try order.apply(edits, old: rows.order, new: newRows.order))
      OrderedTestBatch(rows, edits, newRows).expect(changes, "\(random)")
      #expect(order.map(\.id) == newRows.sorted, "\(random)")
    }
  }

  @Test func emptyOrderFillsAndEmpties() throws {
    var random = SeededRandom()
    let rows = OrderedTestRows.random(700, keys: 50, &random)
    var order = OrderedIDs()
    var edits = OrderEdits()
    #expect(edits.isEmpty)
    edits.inserted = rows.keys.keys.map(rows.entry)
    var changes = try #require(try order.apply(edits, old: rows.order, new: rows.order))
    #expect(changes.insertions.ranges == [0..<700] && order.map(\.id) == rows.sorted)
    edits = OrderEdits()
    edits.removed = rows.keys.keys.map(rows.entry)
    changes = try #require(try order.apply(edits, old: rows.order, new: rows.order))
    #expect(changes.deletions.ranges == [0..<700] && order.isEmpty)
  }

  @Test func objectThatPassesOthersMoves() throws {
    let rows = OrderedTestRows(keys: [1: 10, 2: 20, 3: 30, 4: 40], hiddenBits: 0)
    var order = try rows.orderedIDs()
    var new = rows
    new.keys[1] = 35
    var edits = OrderEdits()
    edits.rekeyed = [.init(id: 1, old: 10, new: 35)]
    edits.modified = [rows.entry(3)]
    let changes = try #require(try order.apply(edits, old: rows.order, new: new.order))
    #expect(changes.deletions == [0] && changes.insertions == [2])
    #expect(changes.moves == [.init(from: 0, to: 2)])
    #expect(changes.modifications == [2] && changes.newModifications == [1])
  }

  @Test func objectThatPassesNoneStays() throws {
    let rows = OrderedTestRows(keys: [1: 10, 2: 20, 3: 30, 4: 40], hiddenBits: 0)
    var order = try rows.orderedIDs()
    var new = rows
    new.keys[2] = 29
    var edits = OrderEdits()
    edits.rekeyed = [.init(id: 2, old: 20, new: 29)]
    let changes = try #require(try order.apply(edits, old: rows.order, new: new.order))
    #expect(changes.deletions.isEmpty && changes.insertions.isEmpty && changes.moves.isEmpty)
    #expect(changes.modifications == [1] && changes.newModifications == [1])
  }

  @Test func removedOrRekeyedObjectMayAlsoBeModified() throws {
    let rows = OrderedTestRows(keys: [1: 10, 2: 20, 3: 30, 4: 40], hiddenBits: 0)
    var order = try rows.orderedIDs()
    var edits = OrderEdits()
    edits.removed = [rows.entry(2)]
    edits.rekeyed = [.init(id: 3, old: 30, new: 30)]
    edits.modified = [4, 3, 2, 4].map(rows.entry)
    let changes = try #require(try order.apply(edits, old: rows.order, new: rows.order))
    #expect(changes.deletions == [1] && changes.insertions.isEmpty)
    #expect(changes.modifications == [2, 3] && changes.newModifications == [1, 2])
  }

  @Test func movesAreMinimal() throws {
    // 5 moves in front of the other four, which keep their order: it alone has moved.
    let rows = OrderedTestRows(keys: [1: 1, 2: 2, 3: 3, 4: 4, 5: 5], hiddenBits: 0)
    var order = try rows.orderedIDs()
    let new = OrderedTestRows(keys: [1: 11, 2: 12, 3: 13, 4: 14, 5: 10], hiddenBits: 0)
    var edits = OrderEdits()
    edits.rekeyed = (1...5).map { .init(id: $0, old: $0, new: new.entry($0).prefix) }
    let changes = try #require(try order.apply(edits, old: rows.order, new: new.order))
    #expect(changes.deletions == [4] && changes.insertions == [0])
    #expect(changes.modifications == [0, 1, 2, 3] && changes.newModifications == [1, 2, 3, 4])
  }

  @Test func failureLeavesOrderUnchanged() throws {
    var random = SeededRandom()
    let rows = OrderedTestRows.random(1000, keys: 3000, &random)
    let order = try rows.orderedIDs()
    var nextID: UInt64 = 1000
    let batch = OrderedTestBatch(rows, size: 40, keys: 3000, &nextID, &random)
    var calls = 0
    // The number of comparisons, of rows of either version, before the failing one.
    var left = Int.max
    func failing(_ rows: OrderedTestRows) -> RowOrder {
      { first, second throws(Failure) in
        calls += 1
        left -= 1
        if left == -1 { throw Failure(.closed, "No rows.") }
        return try rows.order(first, second)
      }
    }
    var edited = order
    _ = try edited.apply(batch.edits, old: failing(rows), new: failing(batch.new))
    // Comparisons fail while objects are removed, while inserted objects are sorted and while their
    // positions are searched. A batch may be so small that nothing is compared.
    let all = calls
    for last in 0..<all where last < 3 || last % 25 == 0 || last > all - 3 {
      left = last
      edited = order
      let failure = thrownFailure {
        try edited.apply(batch.edits, old: failing(rows), new: failing(batch.new))
      }
      #expect(failure?.code == .closed, "\(random)")
      #expect(edited.map(\.id) == batch.before, "\(random)")
      edited.expectSound("\(random)")
    }
  }

  @Test func misplacedObjectsAreDetectedAndChangeNothing() throws {
    var random = SeededRandom()
    let rows = OrderedTestRows.random(300, keys: 3000, &random)
    let wrong = OrderedEntry(prefix: 5000, id: 7)
    for kind in 0..<4 {
      var order = try rows.orderedIDs()
      var edits = OrderEdits()
      switch kind {
      case 0: edits.removed = [wrong]
      case 1: edits.modified = [wrong]
      case 2: edits.rekeyed = [.init(id: 7, old: 5000, new: 1)]
      default: edits.inserted = [rows.entry(8)]
      }
      #expect(try order.apply(edits, old: rows.order, new: rows.order) == nil, "\(random)")
      #expect(order.map(\.id) == rows.sorted, "\(random)")
    }
  }

  /// A damaged file may repeat an id.
  @Test func duplicateIDsInBatchChangeNothing() throws {
    var random = SeededRandom()
    var rows = OrderedTestRows.random(300, keys: 3000, &random)
    let order = try rows.orderedIDs()
    let before = rows.sorted
    let member = rows.entry(8)
    rows.keys[1001] = 40
    for kind in 0..<3 {
      var edited = order
      var edits = OrderEdits()
      switch kind {
      case 0: edits.removed = [member, member]
      case 1: edits.inserted = [rows.entry(1001), rows.entry(1001)]
      default:
        edits.removed = [member]
        edits.rekeyed = [.init(id: 8, old: member.prefix, new: member.prefix)]
      }
      let all = rows
      func compare(_ first: UInt64, _ second: UInt64) throws(Failure) -> ValueOrdering {
        first == second ? .equal : try all.order(first, second)
      }
      #expect(try edited.apply(edits, old: compare, new: compare) == nil, "\(kind) \(random)")
      #expect(edited.map(\.id) == before, "\(kind) \(random)")
    }
  }

  @Test func movesOfObjectThatOccursTwiceAreFound() {
    var changes = IndexChanges(from: [5, 5, 6], to: [6, 7, 5])
    changes.findMoves(from: [5, 5, 6], to: [6, 7, 5])
    #expect(changes.moves.allSatisfy { [5, 5, 6][$0.from] == [6, 7, 5][$0.to] })
  }

  @Test func eachIndexStartsOneMove() {
    let (old, new): ([UInt64], [UInt64]) = ([5, 5, 6, 7, 8, 9], [6, 7, 8, 9, 5, 5])
    var changes = IndexChanges(from: old, to: new)
    changes.findMoves(from: old, to: new)
    #expect(changes.moves == [.init(from: 0, to: 4), .init(from: 1, to: 5)])
  }
}
