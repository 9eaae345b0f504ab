import Testing
import VarveEncoding
import VarveTestSupport

@testable import VarveCore

@Suite struct DistinctIDsTests {
  @Test(arguments: [1, 15, 400])
  func randomBatchesKeepTheFirstObjectOfEachValue(values: Int) throws {
    var random = SeededRandom()
    var rows = OrderedTestRows.random(300, keys: 60, &random)
    var value: [UInt64: Int] = [:]
    for id in rows.keys.keys.sorted() { value[id] = random.below(values) }
    var distinct = try DistinctIDs(rows.keys.keys.map { member($0, rows, value) }, by: rows.order)
    var order = try OrderedIDs(sorting: distinct.firsts, by: rows.order)
    var nextID: UInt64 = 1000
    for step in 0..<150 {
      let size = step % 50 == 0 ? 120 : random.below(10)
      let batch = OrderedTestBatch(rows, size: size, keys: 60, &nextID, &random)
      var newValue = value
      for entry in batch.edits.inserted { newValue[entry.id] = random.below(values) }
      for object in batch.edits.rekeyed where random.chance(40) {
        newValue[object.id] = random.below(values)
      }
      let before = firsts(batch.before, value)
      let after = firsts(batch.after, newValue)

      let old = distinct
      let edits = try #require(
        try distinct.apply(
          memberEdits(batch, value, newValue), old: rows.order, new: batch.new.order))
      let changes = try #require(try order.apply(edits, old: rows.order, new: batch.new.order))
      #expect(order.map(\.id) == after, "\(random)")
      changes.expectLead(from: before, to: after, "\(random)")
      expectMinimal(changes, before, after, batch, "\(random)")
      #expect(distinct.memberCount == batch.after.count, "\(random)")
      #expect(Set(old.firsts.map(\.id)) == Set(before), "\(random)")
      #expect(Set(distinct.firsts.map(\.id)) == Set(after), "\(random)")
      (rows, value) = (batch.new, newValue)
    }
  }

  /// Only what entered or left, and rekeyed objects, are deleted or inserted; what was changed and
  /// stays is modified.
  private func expectMinimal(
    _ changes: IndexChanges, _ before: [UInt64], _ after: [UInt64], _ batch: OrderedTestBatch,
    _ comment: Comment
  ) {
    let both = Set(before).intersection(after)
    let rekeyed = Set(batch.edits.rekeyed.map(\.id))
    let moved = Set(changes.deletions.map { before[$0] }).intersection(both)
    #expect(moved.isSubset(of: rekeyed), comment)
    let changed = rekeyed.union(batch.edits.modified.map(\.id)).intersection(both)
    #expect(
      Set(changes.modifications.map { before[$0] }) == changed.subtracting(moved), comment)
  }

  private func firsts(_ sorted: [UInt64], _ value: [UInt64: Int]) -> [UInt64] {
    var seen: Set<Int> = []
    return sorted.filter { seen.insert(value[$0] ?? -1).inserted }
  }

  private func member(
    _ id: UInt64, _ rows: OrderedTestRows, _ value: [UInt64: Int]
  ) -> OrderedEntry<DistinctPrefix> {
    OrderedEntry(prefix: prefix(rows.entry(id).prefix, value[id] ?? -1), id: id)
  }

  private func prefix(_ prefix: UInt64, _ value: Int) -> DistinctPrefix {
    DistinctPrefix(value: Self.value(value), prefix: prefix)
  }

  /// A value of some bytes: of few, which are kept, or many, which are hashed.
  private static func value(_ number: Int) -> DistinctValue {
    let bytes = [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    let rest = Array(repeating: 7 as UInt8, count: abs(number) % 20)
    return DistinctValue(bytes + rest, key: FileKey(low: 1, high: 2))
  }

  private func memberEdits(
    _ batch: OrderedTestBatch, _ value: [UInt64: Int], _ newValue: [UInt64: Int]
  ) -> DistinctIDs.Edits {
    var edits = DistinctIDs.Edits()
    edits.removed = batch.edits.removed.map { member($0.id, batch.old, value) }
    edits.inserted = batch.edits.inserted.map { member($0.id, batch.new, newValue) }
    edits.modified = batch.edits.modified.map { member($0.id, batch.old, value) }
    edits.rekeyed = batch.edits.rekeyed.map { object in
      .init(
        id: object.id, old: prefix(object.old, value[object.id] ?? -1),
        new: prefix(object.new, newValue[object.id] ?? -1))
    }
    return edits
  }

  @Test func theNextTakesOverWhenTheFirstLeaves() throws {
    let rows = OrderedTestRows(keys: [1: 10, 2: 20, 3: 30, 4: 40], hiddenBits: 0)
    let value: [UInt64: Int] = [1: 7, 2: 8, 3: 7, 4: 8]
    var distinct = try DistinctIDs(rows.keys.keys.map { member($0, rows, value) }, by: rows.order)
    #expect(Set(distinct.firsts.map(\.id)) == [1, 2])
    var edits = DistinctIDs.Edits()
    edits.removed = [member(1, rows, value)]
    edits.modified = [member(2, rows, value), member(4, rows, value)]
    let result = try #require(try distinct.apply(edits, old: rows.order, new: rows.order))
    #expect(result.removed == [rows.entry(1)] && result.inserted == [rows.entry(3)])
    #expect(result.modified == [rows.entry(2)] && result.rekeyed.isEmpty)
    #expect(distinct.first(of: Self.value(7)) == rows.entry(3))
    #expect(distinct.first(of: Self.value(9)) == nil)
  }

  @Test func aFirstObjectMayBeNamedAsModifiedBesides() throws {
    let rows = OrderedTestRows(keys: [1: 10, 2: 20], hiddenBits: 0)
    let value: [UInt64: Int] = [1: 7, 2: 8]
    var distinct = try DistinctIDs(rows.keys.keys.map { member($0, rows, value) }, by: rows.order)
    var new = rows
    new.keys[1] = 30
    var edits = DistinctIDs.Edits()
    edits.rekeyed = [.init(id: 1, old: prefix(10, 7), new: prefix(30, 7))]
    edits.modified = [1, 2, 2].map { member($0, rows, value) }
    let result = try #require(try distinct.apply(edits, old: rows.order, new: new.order))
    #expect(result.rekeyed == [.init(id: 1, old: 10, new: 30)])
    #expect(result.modified == [rows.entry(2)] && result.removed.isEmpty && result.inserted.isEmpty)
  }

  @Test func resultsInSourceOrderKeepTheLowestIDs() throws {
    // Nothing is read from rows: prefixes are 0 and the ids settle the rest.
    let noRows: RowOrder = { _, _ in .equal }
    let rows = OrderedTestRows(keys: [1: 0, 2: 0, 3: 0, 4: 0])
    var value: [UInt64: Int] = [1: 7, 2: 8, 3: 7, 4: 8]
    var distinct = try DistinctIDs(rows.keys.keys.map { member($0, rows, value) }, by: noRows)
    var set = IDSet(distinct.firsts.map(\.id).sorted())
    #expect(Array(set) == [1, 2])
    var edits = DistinctIDs.Edits()
    edits.rekeyed = [.init(id: 1, old: prefix(0, 7), new: prefix(0, 8))]
    value[1] = 8
    let result = try #require(try distinct.apply(edits, old: noRows, new: noRows))
    let changes = set.apply(
      removed: result.removed.map(\.id), inserted: result.inserted.map(\.id),
      modified: result.rekeyed.map(\.id))
    // It is still one of the first objects, now of another value.
    #expect(Array(set) == [1, 3])
    #expect(changes.deletions == [1] && changes.insertions == [1] && changes.modifications == [0])
  }

  @Test func anObjectOutOfPlaceIsToldAndChangesNothing() throws {
    let rows = OrderedTestRows(keys: [1: 10, 2: 20])
    let value: [UInt64: Int] = [1: 7, 2: 8]
    var distinct = try DistinctIDs(rows.keys.keys.map { member($0, rows, value) }, by: rows.order)
    var edits = DistinctIDs.Edits()
    edits.removed = [member(1, rows, value), OrderedEntry(prefix: prefix(5, 5), id: 3)]
    #expect(try distinct.apply(edits, old: rows.order, new: rows.order) == nil)
    #expect(distinct.memberCount == 2)
  }

  @Test func valuesDifferWhereTheirBytesDo() {
    let key = FileKey(low: 3, high: 4)
    var values: Set<DistinctValue> = []
    var count = 0
    for length in 0..<40 {
      for byte in [0, 1, 0xFF] as [UInt8] {
        for place in 0..<max(1, length) {
          var bytes = Array(repeating: 0 as UInt8, count: length)
          if length > 0 { bytes[place] = byte }
          let isNew = values.insert(DistinctValue(bytes, key: key)).inserted
          let isKnown = byte == 0 && place > 0 || length == 0 && byte > 0
          #expect(isNew == !isKnown)
          count += isNew ? 1 : 0
        }
      }
    }
    #expect(values.count == count)
    let sorted = values.sorted()
    #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0 < $1 && !($1 < $0) })
  }
}
