import Testing
import VarveEncoding

@Suite struct RowReaderTests {
  private let layout = RowLayout(
    id: 1,
    properties: [(1, PropertyKind(type: .string), true), (2, PropertyKind(type: .int64), true)])

  private func row() -> [UInt8] {
    let buffer = RowBuffer(layout: layout)
    buffer.setString("abc", layout.fields[0])
    buffer.touch(propertyID: 2, versionLow: 3)
    return buffer.finish { Array($0) }
  }

  private func error(_ bytes: [UInt8]) -> FormatError? {
    do {
      try bytes.lend { bytes throws(FormatError) in
        _ = try RowReader(validating: bytes, layout: layout)
      }
      return nil
    } catch {
      return error
    }
  }

  @Test func validRowIsAccepted() {
    #expect(error(row()) == nil)
  }

  @Test func lengthOtherThanInHeaderThrows() {
    #expect(error(row() + [0])?.reason == .badLength)
    #expect(error(row().dropLast())?.reason == .badLength)
    #expect(error([])?.reason == .truncated)
    #expect(error([UInt8](repeating: 0, count: 11))?.reason == .truncated)
  }

  @Test func otherLayoutThrows() {
    var bytes = row()
    bytes[8] = 9
    #expect(error(bytes) == FormatError(.wrongLayout, "", offset: 8, expected: 1, found: 9))
  }

  @Test func touchesOutOfBoundsThrow() {
    var bytes = row()
    bytes[11] = 0xFF
    #expect(error(bytes)?.reason == .truncated)
  }

  @Test func slotPointingOutOfRowThrows() throws {
    for (offset, length) in [
      (27, 3), (28, 4), (0, 1), (1000, 1), (28, 0xFFFF_FFFF), (0x7FFF_FFFF, 1),
    ] {
      var bytes = row()
      for byte in 0..<4 {
        bytes[12 + byte] = UInt8(truncatingIfNeeded: offset >> (8 * byte))
        bytes[16 + byte] = UInt8(truncatingIfNeeded: length >> (8 * byte))
      }
      try bytes.lend { bytes in
        let reader = try RowReader(validating: bytes, layout: layout)
        expectError(.badLength, "\(offset) \(length)") { try reader.bytes(at: layout.fields[0]) }
        expectError(.badLength) { try RowBuffer(layout: layout).load(from: reader) }
      }
    }
  }

  @Test func emptyValueWithOffsetIsRefused() throws {
    let layout = RowLayout(
      id: 1,
      properties: [
        (1, PropertyKind(type: .string), true), (2, PropertyKind(type: .data), true),
        (3, PropertyKind(type: .string), true),
      ])
    let fields = layout.fields
    let buffer = RowBuffer(layout: layout)
    buffer.setString("removed by an edit", fields[0])
    buffer.setString("kept", fields[2])
    // The edit of another value would move the end of the row before the offset.
    for offset in [UInt32(layout.fixedEnd), UInt32(layout.fixedEnd + 22), 1, 1 << 31] {
      var row = buffer.finish { Array($0) }
      row.withUnsafeMutableBytes {
        $0.storeBytes(of: offset, toByteOffset: fields[1].offset, as: UInt32.self)
      }
      try row.lend { bytes in
        let reader = try RowReader(validating: bytes, layout: layout)
        expectError(.badLength) { try reader.bytes(at: fields[1]) }
        expectError(.badLength) { try reader.value(fields[1]) }
        expectError(.badLength) { try RowBuffer(layout: layout).load(from: reader) }
        let kept = try reader.value(fields[2])
        #expect(kept == .value(.string("kept")))
      }
    }
  }

  @Test func overlappingSlotsAreNotLoaded() throws {
    let string = PropertyKind(type: .string)
    let layout = RowLayout(
      id: 1, properties: [(1, string, true), (2, string, true), (3, string, true)])
    let buffer = RowBuffer(layout: layout)
    for field in layout.fields { buffer.setString(String(repeating: "x", count: 400), field) }
    var bytes = buffer.finish { Array($0) }
    // All three slots point to the first 1,000 bytes of the 1,200.
    for slot in [12, 20, 28] {
      bytes.replaceSubrange(slot..<slot + 8, with: hex("24000000 e8030000"))
    }
    try bytes.lend { bytes in
      let reader = try RowReader(validating: bytes, layout: layout)
      let error = thrownError { try buffer.load(from: reader) }
      #expect(error == FormatError(.badLength, "", expected: 1200, found: 3000))
    }
  }

  @Test func changedByteFailsChecksum() throws {
    for index in 12..<row().count {
      var bytes = row()
      bytes[index] ^= 1
      try bytes.lend { bytes in
        let reader = try RowReader(validating: bytes, layout: layout)
        expectError(.badChecksum) { try reader.verifyChecksum() }
      }
    }
  }

  @Test func rowOfAnotherObjectFailsChecksum() throws {
    try row().lend { bytes in
      let reader = try RowReader(validating: bytes, layout: layout)
      try reader.verifyChecksum(classID: 1, objectID: 2)
      for (classID, objectID) in [(1, 3), (2, 2), (2, 1), (1, 2 << 32)] as [(UInt32, UInt64)] {
        expectError(.badChecksum, "\(classID) \(objectID)") {
          try reader.verifyChecksum(classID: classID, objectID: objectID)
        }
      }
    }
  }

  @Test func headerIsReadWithoutLayout() throws {
    try row().lend { bytes throws(FormatError) in
      let layoutID = try RowHeader.layoutID(of: bytes)
      #expect(layoutID == 1)
      #expect(RowHeader.isRow(bytes, layoutID: 1, fixedEnd: layout.fixedEnd))
      #expect(!RowHeader.isRow(bytes, layoutID: 2, fixedEnd: layout.fixedEnd))
      #expect(!RowHeader.isRow(bytes, layoutID: 1, fixedEnd: bytes.count))
    }
    expectError(.truncated) { try [1, 2].lend { try RowHeader.layoutID(of: $0) } }
  }
}
