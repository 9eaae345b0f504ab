import Testing
import VarveEncoding
import VarveTestSupport

@testable import VarveCore

@Suite struct ListNodeGapTests {
  private func run(_ entries: [(id: UInt64, stamp: UInt64, count: UInt32)]) -> ListNodeRun {
    let entries = entries.map { ListInnerEntry(nodeID: $0.id, stamp: $0.stamp, count: $0.count) }
    return ListNodeRun(level: 0, start: 100, entries: entries[...])
  }

  private func ids(_ run: ListNodeRun) -> [UInt64] { run.entries.map(\.nodeID) }

  @Test func equalRunsHaveNoGap() {
    let nodes = run([(1, 1, 5), (2, 1, 6)])
    #expect(ListNodeGap.gaps(nodes, nodes).isEmpty)
    #expect(ListNodeGap.gaps(run([]), run([])).isEmpty)
  }

  @Test func nodesBetweenCommonNodesFormGap() {
    let old = run([(1, 1, 5), (2, 1, 6), (3, 1, 7), (4, 1, 8), (5, 1, 9)])
    // Node 2 was changed and split, and node 4 was removed.
    let new = run([(1, 1, 5), (2, 2, 3), (9, 2, 4), (3, 1, 7), (5, 1, 9)])
    let gaps = ListNodeGap.gaps(old, new)
    #expect(gaps.map { ids($0.old) } == [[2], [4]])
    #expect(gaps.map { ids($0.new) } == [[2, 9], []])
    #expect(gaps.map(\.old.indexes) == [105..<111, 118..<126])
    #expect(gaps.map(\.new.indexes) == [105..<112, 119..<119])
  }

  @Test func nodesWithDifferentStampOrCountAreNotCommon() {
    let old = run([(1, 1, 5), (2, 1, 6), (3, 1, 7)])
    let gaps = ListNodeGap.gaps(old, run([(1, 2, 5), (2, 1, 6), (3, 1, 8)]))
    #expect(gaps.map { ids($0.old) } == [[1], [3]])
  }

  @Test func commonNodesInSameOrderAreFound() {
    var random = SeededRandom()
    for _ in 0..<500 {
      let old = (1...30 as ClosedRange<UInt64>).map { (id: $0, stamp: UInt64(1), count: UInt32(2)) }
      var new = old
      for _ in 0..<random.below(12) {
        switch random.below(3) {
        case 0: new.insert((UInt64(random.int(100...999)), 2, 3), at: random.below(new.count))
        case 1: new.remove(at: random.below(new.count))
        default: new[random.below(new.count)].stamp = 2
        }
      }
      let gaps = ListNodeGap.gaps(run(old), run(new))
      let oldInGaps = gaps.flatMap { ids($0.old) }
      let newInGaps = gaps.flatMap { ids($0.new) }
      let common = Set(new.filter { $0.stamp == 1 }.map(\.id))
      #expect(oldInGaps == old.map(\.id).filter { !common.contains($0) }, "\(random)")
      #expect(newInGaps == new.map(\.id).filter { !common.contains($0) }, "\(random)")
    }
  }

  @Test func reorderedNodesAreInGaps() {
    let old = run([(1, 1, 5), (2, 1, 6), (3, 1, 7)])
    let new = run([(3, 1, 7), (2, 1, 6), (1, 1, 5)])
    let gaps = ListNodeGap.gaps(old, new)
    #expect(gaps.map { ids($0.old) } == [[1, 2], []])
    #expect(gaps.map { ids($0.new) } == [[], [2, 1]])
  }
}
