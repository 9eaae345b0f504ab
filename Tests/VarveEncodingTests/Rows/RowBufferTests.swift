import Foundation
import Testing
import VarveTestSupport

@testable import VarveEncoding

@Suite struct RowBufferTests {
  @Test func bytesMatchFormat() throws {
    let layout = RowLayout(
      id: 0x0201,
      properties: [
        (1, PropertyKind(type: .int32, isNullable: true), true),
        (2, PropertyKind(type: .string), true),
        (3, PropertyKind(type: .bool, isNullable: true), true),
        (4, PropertyKind(type: .data), true),
        (5, PropertyKind(type: .int64, collection: .list), true),
      ])
    let buffer = RowBuffer(layout: layout)
    let fields = layout.fields
    buffer.setInt64(-2, fields[0])
    buffer.setString("ab", fields[1])
    buffer.setBlob(BlobReference(id: 5, byteCount: 1000, checksum: 0x0403_0201), fields[3])
    buffer.setCollectionSlot(CollectionSlot(id: 6, revision: 7, count: 8), fields[4])
    buffer.touch(propertyID: 2, versionLow: 9)
    let row = buffer.finish { Array($0) }
    #expect(
      hex(row.dropFirst(4))
        == [
          "4c000000", "0102", "0100", "02", "feffffff", "3200000002000000", "00",
          "3400008010000000", "06000000000000000700000008000000", "6162",
          "0500000000000000e803000001020304", "0200000009000000",
        ].joined())
    #expect(row.count == 0x4c)
    // After the class id and the object id.
    let checked = hex("0100000000000000 0200000000000000") + row.dropFirst(4)
    let checksum = checked.lend { CRC32C.checksum($0) }
    #expect(row.lend { $0.loadUnaligned(as: UInt32.self) } == checksum)
  }

  @Test func growingAndShrinkingStringKeepsBufferBounded() throws {
    let layout = RowLayout(
      id: 1,
      properties: [
        (1, PropertyKind(type: .string), true),
        (2, PropertyKind(type: .string, isNullable: true), true),
        (3, PropertyKind(type: .string), true),
      ])
    let buffer = RowBuffer(layout: layout)
    let fields = layout.fields
    let long = String(repeating: "l", count: 500)
    buffer.setString("kept", fields[2])
    for round in 0..<10_000 {
      buffer.setString("s", fields[0])
      buffer.setNull(fields[1])
      buffer.setString(long + "\(round)", fields[0])
      buffer.setString(long, fields[1])
      if round % 3 == 0 {
        // Bytes of the row itself stay unchanged while the buffer is compacted.
        guard case .inline(let bytes) = try buffer.reader.bytes(at: fields[0]) else { continue }
        buffer.setBytes(bytes, fields[1])
      }
    }
    #expect(buffer.storage.capacity < 16 << 10)
    let row = buffer.finish { Array($0) }
    try row.lend { bytes in
      let reader = try RowReader(validating: bytes, layout: layout)
      let values = try fields.map { try reader.value($0).inline }
      #expect(values == [.string(long + "9999"), .string(long + "9999"), .string("kept")])
    }
    #expect(row.count < 1200)
  }

  @Test func beginMakesEverythingNullOrEmpty() throws {
    var random = SeededRandom()
    let layout = random.layout(properties: 30)
    let buffer = RowBuffer(layout: random.layout())
    _ = try random.fill(buffer)
    buffer.begin(layout: layout)
    for field in layout.fields where field.isStored {
      guard field.kind.collection == .none else {
        #expect(buffer.reader.collectionContent(field).slot == .none)
        continue
      }
      #expect(buffer.reader.isNull(field) == (field.nullBit >= 0))
      let value = try buffer.reader.value(field).inline
      #expect(value == (field.nullBit >= 0 ? .null : zero(field.kind.type)), "\(random)")
    }
    #expect(buffer.finish { $0.count } == layout.fixedEnd)
  }

  @Test func rowsAreReadBack() throws {
    var random = SeededRandom()
    let buffer = RowBuffer(layout: random.layout())
    for _ in 0..<400 {
      let layout = random.layout(properties: random.int(0...20))
      buffer.begin(layout: layout)
      let model = try random.fill(buffer)
      check(buffer.reader, model, "buffer, \(random)")
      try buffer.finish { Array($0) }.lend { row in
        let reader = try RowReader(validating: row, layout: layout)
        try reader.verifyChecksum()
        check(reader, model, "row, \(random)")
        #expect(reader.touches == model.touches)
      }
    }
  }

  @Test func editsOfLoadedRowKeepOtherFieldsAndLeaveNoGarbage() throws {
    var random = SeededRandom()
    for _ in 0..<200 {
      let layout = random.layout()
      let buffer = RowBuffer(layout: layout)
      var model = try random.fill(buffer)
      let row = buffer.finish { Array($0) }
      let other = RowBuffer(layout: random.layout())
      try row.lend { try other.load(from: try RowReader(validating: $0, layout: layout)) }
      for _ in 0..<random.int(0...6) {
        guard let field = layout.fields.filter(\.isStored).randomElement(using: &random) else {
          break
        }
        try random.set(field, in: other, &model)
        if random.oneIn(3) { _ = other.finish() }
      }
      let edited = other.finish { Array($0) }
      try edited.lend { bytes in
        let reader = try RowReader(validating: bytes, layout: layout)
        try reader.verifyChecksum()
        check(reader, model, "\(random)")
      }
      #expect(
        edited.count == layout.fixedEnd + variableCount(edited, layout) + 8 * model.touches.count)
    }
  }

  @Test func onlyLastTouchOfPropertyIsKept() {
    let layout = RowLayout(id: 1, properties: [])
    let buffer = RowBuffer(layout: layout)
    buffer.touch(propertyID: 1, versionLow: 1)
    buffer.touch(propertyID: 2, versionLow: 1)
    buffer.touch(propertyID: 1, versionLow: 2)
    #expect(
      buffer.touches == [
        RowTouch(propertyID: 1, versionLow: 2), RowTouch(propertyID: 2, versionLow: 1),
      ])
    buffer.begin(layout: layout)
    #expect(buffer.touches.isEmpty)
  }

  @Test func bytesOfSameRowCanBeSet() throws {
    let string = PropertyKind(type: .string)
    let layout = RowLayout(id: 1, properties: [(1, string, true), (2, string, true)])
    let buffer = RowBuffer(layout: layout)
    let text = String(repeating: "x", count: 200)
    buffer.setString(text, layout.fields[0])
    for _ in 0..<5 {
      guard case .inline(let bytes) = try buffer.reader.bytes(at: layout.fields[0]) else { return }
      buffer.setBytes(bytes, layout.fields[1])
      buffer.setNull(layout.fields[1])
    }
    guard case .inline(let bytes) = try buffer.reader.bytes(at: layout.fields[0]) else { return }
    buffer.setBytes(bytes, layout.fields[1])
    #expect(try buffer.reader.value(layout.fields[1]) == .value(.string(text)))
    #expect(buffer.finish { $0.count } == layout.fixedEnd + 400)
  }

  @Test func oversizedValuesThrowAndChangeNothing() throws {
    let layout = RowLayout(
      id: 1,
      properties: [
        (1, PropertyKind(type: .int8), true), (2, PropertyKind(type: .string), true),
        (3, PropertyKind(type: .int64, collection: .list), true),
        (4, PropertyKind(type: .int64), false),
      ])
    let buffer = RowBuffer(layout: layout)
    try buffer.set(.int(5), layout.fields[0])
    let before = buffer.finish { Array($0) }
    for (value, index) in [
      (Value.int(128), 0), (.double(1), 0), (.null, 0), (.data(Data()), 1), (.int(1), 2),
      (.int(1), 3),
    ] {
      #expect(throws: FormatError.self) { try buffer.set(value, layout.fields[index]) }
    }
    #expect(buffer.finish { Array($0) } == before)
  }

  @Test func integersAreNarrowedToField() throws {
    let layout = RowLayout(
      id: 1,
      properties: [
        (1, PropertyKind(type: .int8), true), (2, PropertyKind(type: .int16), true),
        (3, PropertyKind(type: .int32), true), (4, PropertyKind(type: .int64), true),
        (5, PropertyKind(type: .int64), false),
      ])
    let buffer = RowBuffer(layout: layout)
    for field in layout.fields { buffer.setInt64(-3, field) }
    let stored = layout.fields.filter(\.isStored)
    #expect(try stored.map { try buffer.reader.value($0) } == values([-3, -3, -3, -3]))
    for field in layout.fields { buffer.setInt64(0x1_2345_6781, field) }
    #expect(
      try stored.map { try buffer.reader.value($0) }
        == values([-127, 0x6781, 0x2345_6781, 0x1_2345_6781]))
  }

  private func values(_ integers: [Int64]) -> [StoredValue] {
    integers.map { .value(.int($0)) }
  }

  private func variableCount(_ row: [UInt8], _ layout: RowLayout) -> Int {
    row.lend { bytes in
      layout.variableFields.reduce(0) { sum, field in
        let length = bytes.loadUnaligned(fromByteOffset: field.offset + 4, as: UInt32.self)
        // Bit 31 marks the length of a collection in the row; other collections have an id.
        if field.kind.collection == .none { return sum + Int(length) }
        return length >> 31 == 0 ? sum : sum + Int(length & 0x7FFF_FFFF)
      }
    }
  }

  private func zero(_ type: PropertyType) -> Value {
    switch type {
    case .bool: .bool(false)
    case .int8, .int16, .int32, .int64: .int(0)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string("")
    case .data: .data(Data())
    case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
    case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    case .objectId: .objectId(.zero)
    case .decimal128: .decimal(.zero)
    case .link, .mixed: .null
    }
  }
}

/// Compares a row with the expected values, through the getters.
func check(_ reader: RowReader, _ model: RowModel, _ comment: Comment) {
  for (id, expected) in model.values {
    guard let field = reader.layout.field(forProperty: id) else {
      Issue.record("a property is missing, \(comment)")
      continue
    }
    do {
      let found = try reader.value(field)
      #expect(found == expected, comment)
      guard case .value(let value) = expected else { continue }
      #expect(reader.isNull(field) == value.isNull, comment)
      if field.kind.type == .link {
        let target: UInt64? = if case .link(_, let id) = value { id } else { nil }
        #expect(reader.link(field) == target, comment)
      }
    } catch {
      Issue.record("\(error), \(comment)")
    }
  }
  for (id, elements) in model.elements {
    let content = reader.layout.field(forProperty: id).map { reader.collectionContent($0) }
    #expect(content?.isInline == true && content?.id == 0, comment)
    #expect(content?.count == elements.count, comment)
    #expect(content?.bytes.map { Array($0) } == elements.bytes, comment)
  }
  for (id, slot) in model.slots {
    #expect(
      reader.layout.field(forProperty: id).map { reader.collectionContent($0).slot } == slot,
      comment)
  }
}
