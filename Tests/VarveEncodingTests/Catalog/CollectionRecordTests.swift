import Testing
import VarveEncoding

@Suite struct CollectionRecordTests {
  private let record = CollectionRecord(
    kind: PropertyKind(type: .string, collection: .dictionary, isNullable: true), ownerClassID: 1,
    ownerObjectID: 2, ownerPropertyID: 3, parentID: 4)

  private func encoded() -> [UInt8] {
    var buffer = ByteBuffer()
    record.encode(into: &buffer)
    return buffer.bytes
  }

  @Test func recordIsReadBack() throws {
    #expect(
      hex(encoded())
        == "01030801" + "01000000" + "0200000000000000" + "03000000" + "0400000000000000")
    #expect(encoded().count == CollectionRecord.byteCount)
    #expect(try encoded().lend { try CollectionRecord(decoding: $0) } == record)
  }

  @Test func keyIsReadBack() throws {
    var key = OrderedKey()
    CollectionRecord.encodeKey(collectionID: 258, into: &key)
    #expect(hex(key.bytes) == "0000000000000102")
    #expect(try key.bytes.lend { try CollectionRecord.decodeKey($0) } == 258)
  }

  @Test func otherVersionsKindsAndLengthsThrow() {
    for (index, byte, reason) in [
      (0, 2, FormatError.Reason.unsupported), (1, 0, .badTag), (1, 9, .badTag), (2, 0, .badTag),
      (3, 2, .badValue),
    ] as [(Int, UInt8, FormatError.Reason)] {
      var bytes = encoded()
      bytes[index] = byte
      expectError(reason) { try bytes.lend { try CollectionRecord(decoding: $0) } }
    }
    let longer = encoded() + [0]
    expectError(.trailingBytes) { try longer.lend { try CollectionRecord(decoding: $0) } }
    let shorter = encoded().dropLast() as [UInt8]
    expectError(.truncated) { try shorter.lend { try CollectionRecord(decoding: $0) } }
  }
}
