import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct ListInnerBufferTests {
  @Test func appendedChildrenAreReadBack() throws {
    var random = SeededRandom()
    let buffer = ListInnerBuffer()
    for _ in 0..<100 {
      buffer.removeAll()
      let children = (0..<random.int(0...ListInner.maximumCount)).map { _ in
        ListInnerEntry(
          nodeID: random.next(), stamp: random.next(), count: UInt32(random.int(0...300)))
      }
      for child in children { buffer.append(child) }
      try buffer.finish { Array($0) }.lend { bytes in
        try ListNode.verifyChecksum(bytes)
        let node = try ListInner(validating: bytes)
        #expect((0..<node.count).map { node.child(at: $0) } == children, "\(random)")
        let total = children.reduce(0) { $0 + Int($1.count) }
        #expect(node.totalCount == total, "\(random)")
        #expect(node.find(total) == nil, "\(random)")
        if total > 0, let last = node.find(total - 1) {
          #expect(last.position == Int(children[last.entry].count) - 1, "\(random)")
        }
      }
    }
  }

  @Test func positionIsFoundInContainingChild() throws {
    let buffer = ListInnerBuffer()
    for count in [3, 0, 2, 0] as [UInt32] {
      buffer.append(ListInnerEntry(nodeID: 1, stamp: 1, count: count))
    }
    try buffer.finish { Array($0) }.lend { bytes in
      let node = try ListInner(validating: bytes)
      let found = (-1...5).map { node.find($0).map { [$0.entry, $0.position] } }
      #expect(found == [nil, [0, 0], [0, 1], [0, 2], [2, 0], [2, 1], nil])
      #expect(node.totalCount == 5)
    }
  }

  @Test func bytesMatchFormat() {
    let buffer = ListInnerBuffer()
    buffer.append(ListInnerEntry(nodeID: 1, stamp: 2, count: 3))
    #expect(
      hex(buffer.finish { Array($0.dropFirst(4)) })
        == "02" + "00" + "0100" + "20000000" + "0100000000000000" + "0200000000000000" + "03000000")
  }
}
