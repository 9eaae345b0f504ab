import Foundation
import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct ElementCodecTests {
  @Test func valuesAreReadBack() throws {
    var random = SeededRandom()
    for _ in 0..<2000 {
      let value = random.oneIn(10) ? .null : random.value(.mixed)
      let found = try encode(value).lend { try ElementReader(validating: $0).value() }
      #expect(found == .value(value), "\(random)")
    }
  }

  @Test func wholeKeyIsReadBackAlongsideValue() throws {
    var random = SeededRandom()
    for _ in 0..<500 {
      let value = random.oneIn(10) ? .null : random.value(.mixed)
      let key = random.bytes(random.pick([0, 1, 441, 1000]))
      var buffer = ByteBuffer()
      ElementCodec.append(value, to: &buffer)
      key.lend { ElementCodec.appendWholeKey($0, to: &buffer) }
      try buffer.bytes.lend { bytes in
        let reader = try ElementReader(validating: bytes)
        let found = try reader.value()
        #expect(found == .value(value), "\(random)")
        #expect(reader.wholeKey.map { Array($0) } == key, "\(random)")
      }
    }
  }

  @Test(arguments: [PropertyType.string, .data])
  func blobIsReadBack(type: PropertyType) throws {
    var buffer = ByteBuffer()
    let blob = BlobReference(id: 5, byteCount: 1 << 30, checksum: 7)
    ElementCodec.append(blob: blob, type: type, to: &buffer)
    try buffer.bytes.lend {
      let reader = try ElementReader(validating: $0)
      let found = try reader.value()
      #expect(found == .blob(blob, type: type))
      #expect(reader.blob == blob)
      #expect(reader.type == type)
    }
  }

  @Test(arguments: ["02fe", "03feff", "04feffffff", "05feffffffffffffff"])
  func integersOfAnyWidthAreRead(text: String) throws {
    let found = try hex(text).lend { try ElementReader(validating: $0).value() }
    #expect(found == .value(.int(-2)))
  }

  @Test func bytesMatchFormat() {
    #expect(hex(encode(.null)) == "00")
    #expect(hex(encode(.bool(true))) == "0101")
    #expect(hex(encode(.int(1))) == "050100000000000000")
    #expect(hex(encode(.float(1.5))) == "060000c03f")
    #expect(hex(encode(.double(1.5))) == "07000000000000f83f")
    #expect(hex(encode(.string("é"))) == "08c3a9")
    #expect(hex(encode(.data(Data([0])))) == "0900")
    #expect(hex(encode(.date(Date(timeIntervalSinceReferenceDate: 1.5)))) == "0a000000000000f83f")
    #expect(hex(encode(.objectId(ObjectIdBytes(high: 1, low: 2)))) == "0c000000000000000100000002")
    #expect(
      hex(encode(.decimal(Decimal128Bits(-1)))) == "0d" + "010000000000000000000000000040b0")
    #expect(hex(encode(.link(classID: 1, objectID: 2))) == "0f010000000200000000000000")
    let slot = CollectionSlot(id: 1, revision: 2, count: 0)
    #expect(
      hex(encode(.nested(.list, slot))) == "1e" + "0100000000000000" + "02000000" + "00000000")
    #expect(hex(encode(.nested(.dictionary, slot))).hasPrefix("1f0100000000000000"))
    var buffer = ByteBuffer()
    let blob = BlobReference(id: 1, byteCount: 2, checksum: 3)
    ElementCodec.append(blob: blob, type: .string, to: &buffer)
    [0x6B].lend { ElementCodec.appendWholeKey($0, to: &buffer) }
    #expect(
      hex(buffer.bytes) == "c8" + "0100000000000000" + "02000000" + "03000000" + "6b" + "01000000")
  }

  @Test(arguments: [
    ("", FormatError.Reason.truncated), ("20", .badTag), ("0e", .badTag), ("10", .badTag),
    ("1d", .unsupported),
    ("1d00000000000000000000000000000000", .unsupported), ("1f00", .badLength), ("1e", .badLength),
    ("5e01000000000000000200000000000000", .badTag), ("3e", .badTag), ("0500", .badLength),
    ("0001", .badLength), ("4501", .badTag),
    ("480102", .badLength), ("80", .truncated), ("80ffffffff", .badLength), ("08c328", .badText),
  ])
  func invalidBytesThrow(text: String, reason: FormatError.Reason) {
    expectError(reason) { try hex(text).lend { try ElementReader(validating: $0).value() } }
  }

  private func encode(_ value: Value) -> [UInt8] {
    var buffer = ByteBuffer()
    ElementCodec.append(value, to: &buffer)
    return buffer.bytes
  }
}
