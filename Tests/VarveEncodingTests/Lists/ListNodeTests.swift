import Testing
import VarveEncoding

@Suite struct ListNodeTests {
  private let format = ListElementFormat(type: .int64, isNullable: false)

  private func leaf() -> [UInt8] {
    let buffer = ListLeafBuffer(format: format)
    buffer.append(bits64: 1)
    return buffer.finish { Array($0) }
  }

  private func reason(_ bytes: [UInt8]) -> FormatError.Reason? {
    do {
      try bytes.lend { bytes throws(FormatError) in
        _ = try ListLeaf(validating: bytes, format: format)
      }
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func kindIsRead() throws {
    #expect(try leaf().lend { try ListNode.kind(of: $0) } == .leaf)
    #expect(try ListInnerBuffer().finish { Array($0) }.lend { try ListNode.kind(of: $0) } == .inner)
    expectError(.truncated) { try hex("0000").lend { try ListNode.kind(of: $0) } }
  }

  @Test func damagedHeadersThrow() {
    #expect(reason(leaf()) == nil)
    #expect(reason([]) == .truncated)
    #expect(reason(leaf() + [0]) == .badLength)
    #expect(reason(leaf().dropLast()) == .badLength)
    #expect(reason(ListInnerBuffer().finish { Array($0) }) == .badTag)
    var bytes = leaf()
    bytes[5] = 0
    #expect(reason(bytes) == .wrongLayout)
    bytes = leaf()
    bytes[6] = 2
    #expect(reason(bytes) == .badLength)
    bytes = leaf()
    bytes[4] = 3
    #expect(reason(bytes) == .badTag)
  }

  @Test func damagedTableOfVariableElementsThrows() throws {
    let buffer = ListLeafBuffer(format: .variable)
    for _ in 0..<3 { try buffer.append(.string("abc")) }
    var bytes = buffer.finish { Array($0) }
    bytes[12] = 200
    try bytes.lend { bytes in
      let leaf = try ListLeaf(validating: bytes, format: .variable)
      expectError(.badLength) { try leaf.bytes(at: 0) }
      expectError(.badLength) { try leaf.bytes(at: 1) }
      let last = try leaf.value(at: 2)
      #expect(last == .value(.string("abc")))
      expectError(.badChecksum) { try ListNode.verifyChecksum(bytes) }
      expectError(.badLength) { try ListLeafBuffer(format: .variable).load(leaf) }
    }
  }

  /// All elements in a row must fit into a node, where their ends are wider, and have bytes.
  @Test func elementsInRowFitIntoNode() throws {
    func isAccepted(_ count: Int, _ dataBytes: Int) -> Bool {
      let table = [UInt8](repeating: UInt8(dataBytes), count: count)
      return (table + [UInt8](repeating: 0, count: dataBytes)).lend {
        (try? ListLeaf(elements: $0, count: count, format: .variable)) != nil
      }
    }
    #expect(isAccepted(1, 1) && isAccepted(250, 250) && isAccepted(255, 255))
    #expect(!isAccepted(251, 250) && !isAccepted(1000, 250) && !isAccepted(1, 0))
  }

  @Test func checksumIsOfKeyAndRest() throws {
    let node = leaf()
    // The key is that of the table.
    var key = OrderedKey()
    sampleNodeKey.encode(into: &key)
    let checked = key.bytes + node.dropFirst(4)
    let checksum = checked.lend { CRC32C.checksum($0) }
    #expect(node.lend { $0.loadUnaligned(as: UInt32.self) } == checksum)
    node.lend { bytes in
      for (list, node) in [(3, 5), (4, 4), (4, 3)] as [(UInt64, UInt64)] {
        expectError(.badChecksum, "\(list) \(node)") {
          try ListNode.verifyChecksum(bytes, ListNodeKey(listID: list, nodeID: node))
        }
      }
    }
  }

  @Test func fixedWidthPropertiesHavePackedFormat() {
    #expect(ListElementFormat(type: .string, isNullable: true) == .variable)
    #expect(ListElementFormat(type: .mixed, isNullable: false) == .variable)
    let packed = ListElementFormat(PropertyKind(type: .link, collection: .list))
    #expect(packed.rawValue == 15)
    #expect(packed.type == .link)
    #expect(packed.stride == 8)
    let nullable = ListElementFormat(type: .uuid, isNullable: true)
    #expect(nullable.rawValue == 0x8B)
    #expect(nullable.stride == 17)
  }
}
