import Testing
import VarveTestSupport

@testable import VarveCore

@Suite struct OrderedIDsTests {
  @Test(arguments: [1, 40, 100_000])
  func randomEditsAgreeWithArray(keys: Int) throws {
    var random = SeededRandom()
    var order = OrderedIDs()
    var rows = OrderedTestRows()
    var model: [UInt64] = []
    for round in 0..<10 {
      let growth = round % 5 < 3 ? 80 : 5
      for _ in 0..<250 {
        if random.chance(growth) || model.isEmpty {
          let id = UInt64(random.below(1 << 20))
          guard rows.keys[id] == nil else { continue }
          rows.keys[id] = UInt64(random.below(keys))
          let index = try order.insert(rows.entry(id), by: rows.order)
          let position = insertionIndex(of: id, in: model, rows)
          #expect(index == position, "\(random)")
          model.insert(id, at: position)
        } else {
          let position = random.below(model.count)
          let index = try order.remove(rows.entry(model[position]), by: rows.order)
          #expect(index == position, "\(random)")
          rows.keys[model.remove(at: position)] = nil
        }
      }
      try expectSame(order, model, rows, &random)
    }
    while let id = model.popLast() { try order.remove(rows.entry(id), by: rows.order) }
    #expect(order.isEmpty && Array(order).isEmpty, "\(random)")
    order.expectSound("\(random)")
  }

  private func insertionIndex(of id: UInt64, in model: [UInt64], _ rows: OrderedTestRows) -> Int {
    let key = rows.keys[id] ?? 0
    return model.firstIndex { (rows.keys[$0] ?? 0, $0) > (key, id) } ?? model.count
  }

  private func expectSame(
    _ order: OrderedIDs, _ model: [UInt64], _ rows: OrderedTestRows, _ random: inout SeededRandom
  ) throws {
    let seed: Comment = "\(random)"
    order.expectSound(seed)
    #expect(order.count == model.count && order.map(\.id) == model, seed)
    for _ in 0..<30 where !model.isEmpty {
      let index = random.below(model.count)
      #expect(order[index] == rows.entry(model[index]), seed)
      let position = try order.position(of: rows.entry(model[index]), by: rows.order)
      #expect(position == index, seed)
      let tail = order.entries(from: index).prefix(300).map(\.id)
      #expect(tail.elementsEqual(model[index...].prefix(300)), seed)
    }
  }

  @Test func buildingSorts() throws {
    var random = SeededRandom()
    for count in [0, 1, 96, 97, 3000] {
      let rows = OrderedTestRows.random(count, keys: 200, &random)
      let order = try rows.orderedIDs()
      try expectSame(order, rows.sorted, rows, &random)
      #expect(Array(order.entries(from: order.count)).isEmpty, "\(random)")
    }
  }

  @Test func buildingRethrowsComparisonErrors() throws {
    var random = SeededRandom()
    let rows = OrderedTestRows.random(300, keys: 20, &random)
    let entries = rows.sorted.shuffled(using: &random).map(rows.entry)
    var left = 100
    let failure = thrownFailure {
      try OrderedIDs(sorting: entries) { first, second throws(Failure) in
        left -= 1
        if left == 0 { throw Failure(.closed, "No rows.") }
        return try rows.order(first, second)
      }
    }
    #expect(failure?.code == .closed, "\(random)")
  }

  @Test func absentEntryHasNoPosition() throws {
    var rows = OrderedTestRows(keys: [1: 10, 2: 20, 3: 30])
    var order = try rows.orderedIDs()
    rows.keys[4] = 20
    let location = try order.locate(rows.entry(4), by: rows.order)
    #expect(location.index == 2 && !location.isMember)
    let position = try order.position(of: rows.entry(4), by: rows.order)
    #expect(position == nil)
    let index = try order.remove(rows.entry(4), by: rows.order)
    #expect(index == nil)
    let again = try order.insert(rows.entry(2), by: rows.order)
    #expect(again == nil && order.count == 3)
  }

  @Test func unorderedRowsAreSortedByID() throws {
    let entries = [7, 3, 9, 1].map { OrderedEntry(prefix: 0, id: $0) }
    let order = try OrderedIDs(sorting: entries) { _, _ in .unordered }
    #expect(order.map(\.id) == [1, 3, 7, 9])
    let position = try order.position(of: entries[0]) { _, _ in .equal }
    #expect(position == 2)
  }

  @Test func growingOrShrinkingOrderLeavesNoSparseLeaves() throws {
    var random = SeededRandom()
    var rows = OrderedTestRows(hiddenBits: 0)
    var order = OrderedIDs()
    for id in 0..<20_000 as Range<UInt64> {
      rows.keys[id] = id
      order.insert(rows.entry(id), at: Int(id))
    }
    order.expectSound("\(random)")
    let levels = order.tree.nodesByLevel.map(\.count)
    #expect(levels[levels.count - 1] < 20_000 / 90)
    #expect(levels[levels.count - 2] < 20_000 / 90 / 10)
    for _ in 0..<19_800 { order.remove(at: random.below(order.count)) }
    order.expectSound("\(random)")
    #expect(order.tree.leaves.count < 20 && order.tree.levels <= 3, "\(random)")
    // Each entry is inserted in front of all others.
    order = OrderedIDs()
    for id in (0..<5000 as Range<UInt64>).reversed() {
      order.insert(.init(prefix: id, id: id), at: 0)
    }
    #expect(order.tree.leaves.count <= 5000 / 60)
  }

  @Test(arguments: [false, true])
  func smallAdjacentLeavesAreMerged(firstLast: Bool) {
    var order = OrderedIDs(inOrder: (0..<192).map { .init(prefix: $0, id: $0) })
    #expect(order.tree.leaves.count == 2)
    // 60 entries are left in one leaf, then 31 in the other.
    for _ in 0..<36 { order.remove(at: firstLast ? order.count - 1 : 0) }
    for _ in 0..<65 { order.remove(at: firstLast ? 0 : order.count - 1) }
    #expect(order.count == 91 && order.tree.leaves.count == 1)
  }

  @Test func copiesKeepTheirEntries() throws {
    var random = SeededRandom()
    var order = OrderedIDs(inOrder: (0..<3000).map { .init(prefix: $0, id: $0) })
    var copies: [(OrderedIDs, [OrderedEntry])] = []
    for step in 0..<600 {
      if step % 100 == 0 { copies.append((order, Array(order))) }
      let position = random.below(order.count)
      order.remove(at: position)
      order.insert(.init(prefix: 0, id: UInt64(10_000 + step)), at: 0)
      if step % 3 == 0 { order.remove(at: random.below(order.count)) }
    }
    for (copy, entries) in copies {
      #expect(Array(copy) == entries, "\(random)")
      copy.expectSound("\(random)")
    }
  }

  @Test func copyCostsOnlyChangedLeaves() throws {
    var random = SeededRandom()
    let old = OrderedIDs(inOrder: (0..<50_000).map { .init(prefix: $0, id: $0) })
    var new = old
    for step in 0..<6 as Range<UInt64> {
      new.remove(at: random.below(new.count))
      let index = random.below(new.count)
      new.insert(.init(prefix: new[index].prefix, id: 100_000 + step), at: index)
    }
    let known = Set(old.tree.leaves.map(\.entries.address))
    let unknown = new.tree.leaves.count { !known.contains($0.entries.address) }
    #expect(unknown > 0 && unknown <= 24, "\(random)")
  }

  @Test func failureLeavesOrderUnchanged() throws {
    var random = SeededRandom()
    let rows = OrderedTestRows.random(500, keys: 20, &random)
    var order = try rows.orderedIDs()
    let entry = OrderedEntry(prefix: 1, id: 9999)
    let failure = thrownFailure { try order.insert(entry, by: rows.order) }
    #expect(failure?.code == .fail && order.map(\.id) == rows.sorted, "\(random)")
  }
}
