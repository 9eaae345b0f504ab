import Testing
import VarveStorage
import VarveTestSupport

@Suite struct LeafCursorTests {
  private func ids(_ snapshot: Snapshot, _ range: ClosedRange<UInt64>) -> [UInt64] {
    var leaves = snapshot.leaves(dogs, from: range.lowerBound, through: range.upperBound)
    var ids: [UInt64] = []
    while leaves.next() {
      #expect(leaves.leaf.start < leaves.leaf.end)
      for index in leaves.leaf.start..<leaves.leaf.end {
        leaves.leaf.prefetchLater(beside: index)
        guard let entry = leaves.entry(at: index) else {
          Issue.record("An entry is damaged.")
          return ids
        }
        ids.append(entry.id)
        #expect(snapshot.bytes(dogs, id: entry.id) == Array(entry.value))
        if let plain = leaves.leaf.plainEntry(at: index) {
          #expect(plain.byteCount == entry.value.count)
          let row = leaves.leaf.plainRow(at: index)
          #expect(row?.id == entry.id && row?.value.baseAddress == entry.value.baseAddress)
          let least = plain.byteCount / 2
          let long = leaves.leaf.plainEntry(at: index, least: least)
          #expect(long?.offset == plain.offset && long?.surplus == UInt64(plain.byteCount - least))
          #expect(leaves.leaf.plainEntry(at: index, least: plain.byteCount + 1) == nil)
        } else {
          #expect(entry.value.count > 2000)
          #expect(leaves.leaf.plainEntry(at: index, least: 0) == nil)
          if leaves.leaf.plainRow(at: index) != nil { Issue.record("The row lies elsewhere.") }
        }
      }
    }
    #expect(leaves.next() == false)
    #expect(snapshot.ids(dogs, in: range) == ids)
    return ids
  }

  @Test(arguments: [0, 1, 50, 3000])
  func walkOfRangeReturnsItsEntries(_ count: Int) throws {
    var random = SeededRandom()
    try withStore { environment, _ in
      let all = (0..<UInt64(count)).map { $0 * 3 + 5 }
      let snapshot = try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        for id in all {
          try transaction.put(
            dogs, id: id, [UInt8](repeating: 7, count: random.oneIn(50) ? 5000 : random.below(90)))
        }
      }
      #expect(ids(snapshot, 0...UInt64.max) == all, "\(random)")
      for _ in 0..<50 {
        let lower = UInt64(random.below(3 * count + 20))
        let upper = lower + UInt64(random.below(3 * count + 20))
        let expected = all.filter { $0 >= lower && $0 <= upper }
        #expect(ids(snapshot, lower...upper) == expected, "\(random)")
      }
    }
  }

  @Test func cutsDivideTableIntoEqualParts() throws {
    try withStore { environment, _ in
      for (count, least) in [(0, 0), (10, 0), (2000, 3), (40_000, 15)] {
        let snapshot = try environment.write { transaction in
          _ = try transaction.openTable(dogs, create: true)
          for id in 0..<UInt64(count) where transaction.find(dogs, id: id) == nil {
            try transaction.put(dogs, id: id, [UInt8](repeating: 7, count: 50), append: true)
          }
        }
        let cuts = snapshot.cuts(dogs, parts: 16)
        #expect(cuts.count >= least)
        #expect(cuts.count < 16 || count < 10_000)
        #expect(cuts == cuts.sorted() && Set(cuts).count == cuts.count)
        var parts: [Int] = []
        for (lower, upper) in zip([0] + cuts, cuts + [UInt64.max]) {
          parts.append(ids(snapshot, lower...(upper == .max ? .max : upper - 1)).count)
        }
        #expect(parts.reduce(0, +) == count)
        if count == 40_000 { #expect((parts.max() ?? 0) < 4 * (parts.min() ?? 0)) }
      }
    }
  }
}
