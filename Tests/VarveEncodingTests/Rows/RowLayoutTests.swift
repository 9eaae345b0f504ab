import Testing
import VarveEncoding

@Suite struct RowLayoutTests {
  @Test func offsetsAndBitsFollowOrderOfProperties() {
    let layout = RowLayout(
      id: 3,
      properties: [
        (10, PropertyKind(type: .int64), false),
        (11, PropertyKind(type: .bool, isNullable: true), true),
        (4, PropertyKind(type: .string), true),
        (5, PropertyKind(type: .link), true),
        (6, PropertyKind(type: .int16, collection: .list, isNullable: true), true),
        (7, PropertyKind(type: .decimal128), true),
      ])
    #expect(layout.fields.map(\.offset) == [0, 13, 14, 22, 30, 46])
    #expect(layout.fields.map(\.width) == [0, 1, 8, 8, 16, 16])
    #expect(layout.fields.map(\.nullBit) == [-1, 0, -1, 1, -1, -1])
    #expect(layout.fixedEnd == 62)
    #expect(layout.nullCount == 2)
    #expect(layout.field(forProperty: 4)?.offset == 14)
    #expect(layout.field(forProperty: 10)?.isStored == false)
    #expect(layout.field(forProperty: 8) == nil)
    #expect(layout.variableFields.map(\.propertyID) == [4, 6])
  }

  @Test func nineNullBitsTakeTwoBytes() {
    let nullable = PropertyKind(type: .bool, isNullable: true)
    let layout = RowLayout(id: 1, properties: (0..<9).map { (UInt32($0), nullable, true) })
    #expect(layout.fields[0].offset == 14)
    #expect(layout.fields[8].nullBit == 8)
  }

  @Test(arguments: [
    (PropertyType.bool, 1), (.int8, 1), (.int16, 2), (.int32, 4), (.float, 4), (.int64, 8),
    (.double, 8), (.date, 8), (.link, 8), (.string, 8), (.data, 8), (.mixed, 8), (.objectId, 12),
    (.uuid, 16), (.decimal128, 16),
  ])
  func slotWidthsMatchFormat(type: PropertyType, width: Int) {
    #expect(PropertyKind(type: type).slotWidth == width)
    #expect(PropertyKind(type: type, collection: .set).slotWidth == 16)
  }
}
