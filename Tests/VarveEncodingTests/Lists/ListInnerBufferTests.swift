import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct ListInnerBufferTests {
  @Test func editsAreThoseOfAnArray() throws {
    var random = SeededRandom()
    let buffer = ListInnerBuffer()
    let right = ListInnerBuffer()
    var model: [ListInnerEntry] = []
    for _ in 0..<1500 {
      let entry = ListInnerEntry(
        nodeID: random.next(), stamp: random.next(), count: UInt32(random.int(0...300)))
      let index = random.int(0...model.count)
      switch random.int(0...5) {
      case 0 where !model.isEmpty:
        let lower = random.int(0...model.count - 1)
        let upper = random.int(lower...min(model.count, lower + 3))
        buffer.remove(lower..<upper)
        model.removeSubrange(lower..<upper)
      case 1 where index < model.count:
        buffer[index] = entry
        model[index] = entry
      case 2:
        buffer.append(entry)
        model.append(entry)
      default:
        buffer.insert(entry, at: index)
        model.insert(entry, at: index)
      }
      if buffer.isOverfull {
        if random.oneIn(2) {
          buffer.splitInMiddle(into: right)
        } else {
          buffer.splitKeepingLeftFull(into: right)
        }
        #expect(entries(right) == Array(model[buffer.count...]), "\(random)")
        if random.oneIn(2) {
          buffer.merge(right)
          buffer.remove(0..<2)
          model.removeFirst(2)
        } else {
          model.removeLast(right.count)
        }
      }
      #expect(entries(buffer) == model, "\(random)")
      if !buffer.isOverfull { try checkNode(buffer, model, "\(random)") }
    }
  }

  @Test func positionIsFoundInTheChildThatHoldsIt() {
    let buffer = ListInnerBuffer()
    for count in [3, 0, 2, 0] as [UInt32] {
      buffer.append(ListInnerEntry(nodeID: 1, stamp: 1, count: count))
    }
    let found = (-1...5).map { buffer.find($0).map { [$0.entry, $0.position] } }
    #expect(found == [nil, [0, 0], [0, 1], [0, 2], [2, 0], [2, 1], nil])
    #expect(buffer.totalCount == 5)
  }

  @Test func bytesAreThoseOfTheFormat() {
    let buffer = ListInnerBuffer()
    buffer.append(ListInnerEntry(nodeID: 1, stamp: 2, count: 3))
    #expect(
      hex(buffer.finish { Array($0.dropFirst(4)) })
        == "02" + "00" + "0100" + "20000000" + "0100000000000000" + "0200000000000000" + "03000000")
  }

  @Test func copyOfABufferIsItsOwn() {
    let buffer = ListInnerBuffer()
    buffer.append(ListInnerEntry(nodeID: 1, stamp: 2, count: 3))
    let copy = ListInnerBuffer()
    copy.load(buffer)
    copy[0].count = 9
    #expect(buffer[0].count == 3)
    #expect(copy[0].count == 9)
  }

  private func entries(_ buffer: ListInnerBuffer) -> [ListInnerEntry] {
    (0..<buffer.count).map { buffer[$0] }
  }

  private func checkNode(
    _ buffer: ListInnerBuffer, _ model: [ListInnerEntry], _ comment: Comment
  ) throws {
    try buffer.finish { Array($0) }.lend { bytes in
      let node = try ListInner(validating: bytes)
      try node.verifyChecksum()
      #expect((0..<node.count).map { node.child(at: $0) } == model, comment)
      let total = model.reduce(0) { $0 + Int($1.count) }
      #expect(node.totalCount == total, comment)
      #expect(node.find(total) == nil, comment)
      if total > 0, let last = node.find(total - 1) {
        #expect(last.position == Int(model[last.entry].count) - 1, comment)
      }
      #expect(entries(ListInnerBuffer(node)) == model, comment)
    }
  }
}
