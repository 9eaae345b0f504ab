import Foundation

/// A value as described by the format.
enum PlainValue: Equatable {
  case null
  case bool(Bool)
  case int(Int64)
  case bits(UInt64)
  case text(String)
  case data([UInt8])
  case link(UInt64)
  case blob(id: UInt64, count: UInt64, checksum: UInt64)
  /// A collection in the tables; all zero without elements.
  case collection(id: UInt64, count: UInt64)
  /// The elements of a list in the row.
  case list([PlainValue])
  /// The entries of a dictionary in the row.
  case dictionary([PlainEntry])

  static func double(_ value: Double) -> PlainValue { .bits(value.bitPattern) }
  static func float(_ value: Float) -> PlainValue { .bits(UInt64(value.bitPattern)) }
}

/// An entry of a dictionary.
struct PlainEntry: Equatable {
  /// The bytes of the key: in a row its text, else the part of the stored key after the id.
  var key: [UInt8]
  var element: [UInt8]
}

/// A class record.
struct PlainClass {
  struct Property {
    var id: UInt64
    var type: UInt64
    var collection: UInt64
    var flags: UInt64
    var target: UInt64?
    var index: UInt64
    var name: String
    var constant: PlainValue?
  }
  struct Field {
    var property: UInt64
    var type: UInt64
    var collection: UInt64
    var flags: UInt64
  }

  var id: UInt64
  var name: String
  var nextProperty: UInt64
  var currentLayout: UInt64
  var primaryKey: UInt64?
  var properties: [Property] = []
  var layouts: [UInt64: [Field]] = [:]

  init(_ bytes: [UInt8]) throws {
    var reader = PlainBytes(bytes)
    guard try reader.number(1) == 1, try reader.number(1) == 0 else { throw PlainBytes.TooShort() }
    id = try reader.number(4)
    nextProperty = try reader.number(4)
    currentLayout = try reader.number(2)
    primaryKey = try reader.optionalID()
    name = try reader.text()
    for _ in 0..<(try reader.int(4)) { properties.append(try Self.property(&reader)) }
    for _ in 0..<(try reader.int(4)) {
      let layout = try reader.number(2)
      layouts[layout] = try (0..<(try reader.int(4))).map { _ in
        Field(
          property: try reader.number(4), type: try reader.number(1),
          collection: try reader.number(1), flags: try reader.number(1))
      }
    }
    guard try reader.number(4) == plainCRC32C(bytes.dropLast(4)), reader.isAtEnd else {
      throw PlainBytes.TooShort()
    }
  }

  private static func property(_ reader: inout PlainBytes) throws -> Property {
    let id = try reader.number(4)
    let (type, collection, flags) = (
      try reader.number(1), try reader.number(1), try reader.number(1)
    )
    let target = try reader.optionalID()
    guard try reader.optionalID() == nil else { throw PlainBytes.TooShort() }
    let index = try reader.number(4)
    let name = try reader.text()
    let constant = try reader.take(try reader.int(4))
    return Property(
      id: id, type: type, collection: collection, flags: flags, target: target, index: index,
      name: name, constant: constant.isEmpty ? nil : try plainElement(constant).value)
  }
}

/// A decoded row.
struct PlainRow {
  var layout: UInt64
  /// The values by property id, without the properties that the layout lacks.
  var values: [UInt64: PlainValue] = [:]
  var touches: [(property: UInt64, version: UInt64)] = []

  /// The size of a property slot in bytes.
  private static func width(_ field: PlainClass.Field) -> Int {
    if field.collection != 0 { return 16 }
    return [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 4, 7: 8, 8: 8, 9: 8, 10: 8, 11: 16, 12: 12, 15: 8][
      field.type] ?? 8
  }

  init(_ bytes: [UInt8], object id: UInt64, _ record: PlainClass) throws {
    var reader = PlainBytes(bytes)
    let key = littleEndian(record.id, 8) + littleEndian(id, 8)
    guard try reader.number(4) == plainCRC32C(key + bytes.dropFirst(4)),
      try reader.int(4) == bytes.count
    else { throw PlainBytes.TooShort() }
    layout = try reader.number(2)
    let touchCount = try reader.int(2)
    let fields = (record.layouts[layout] ?? []).filter { $0.flags & 2 != 0 }
    let nullable = fields.filter { field in
      field.collection == 0 && (field.flags & 1 != 0 || field.type == 15 || field.type == 14)
    }
    let bitmap = try reader.take((nullable.count + 7) / 8)
    var nullBit = 0
    var extents: [Range<Int>] = []
    for field in fields {
      var isNull = false
      if nullable.contains(where: { $0.property == field.property }) {
        isNull = bitmap[nullBit / 8] >> UInt8(nullBit % 8) & 1 == 1
        nullBit += 1
      }
      let slot = try reader.take(PlainRow.width(field))
      values[field.property] = isNull ? .null : try PlainRow.value(slot, field, bytes)
      if isNull, slot.contains(where: { $0 != 0 }) { throw PlainBytes.TooShort() }
      if let extent = try PlainRow.extent(slot, field) { extents.append(extent) }
    }
    // The variable data has no gaps, and the touches are at the end.
    var end = reader.offset
    for extent in extents.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard extent.lowerBound == end else { throw PlainBytes.TooShort() }
      end = extent.upperBound
    }
    guard end == bytes.count - 8 * touchCount else { throw PlainBytes.TooShort() }
    reader.skip(to: end)
    for _ in 0..<touchCount { touches.append((try reader.number(4), try reader.number(4))) }
  }

  /// The part of the variable data that a slot refers to; nil if there is none.
  private static func extent(
    _ slot: [UInt8], _ field: PlainClass.Field
  ) throws -> Range<Int>? {
    guard field.collection != 0 || [8, 9, 14].contains(field.type) else { return nil }
    var reader = PlainBytes(slot)
    let offset = try reader.int(4) & 0x7FFF_FFFF
    let length = try reader.int(4)
    if field.collection == 0 { return length == 0 ? nil : offset..<offset + length }
    return length >> 31 == 0 ? nil : offset..<offset + length & 0x7FFF_FFFF
  }

  private static func collection(
    _ slot: [UInt8], _ field: PlainClass.Field, _ row: [UInt8]
  ) throws -> PlainValue {
    var reader = PlainBytes(Array(slot.dropFirst(8)))
    let revision = try reader.number(4)
    let count = try reader.number(4)
    reader = PlainBytes(slot)
    let offset = try reader.int(4)
    let length = try reader.int(4)
    guard length >> 31 == 1 else {
      let id = UInt64(length) << 32 | UInt64(offset)
      guard id != 0 || revision == 0 && count == 0 else { throw PlainBytes.TooShort() }
      return .collection(id: id, count: count)
    }
    let end = offset + length & 0x7FFF_FFFF
    guard revision == 0, count > 0, offset < end, end <= row.count else {
      throw PlainBytes.TooShort()
    }
    let bytes = Array(row[offset..<end])
    switch field.collection {
    case 1: return .list(try plainRowList(bytes, field, count: Int(count)))
    case 3: return .dictionary(try plainRowEntries(bytes, count: Int(count)))
    default: throw PlainBytes.TooShort()
    }
  }

  private static func value(
    _ slot: [UInt8], _ field: PlainClass.Field, _ row: [UInt8]
  ) throws -> PlainValue {
    var reader = PlainBytes(slot)
    if field.collection != 0 { return try collection(slot, field, row) }
    guard field.type == 8 || field.type == 9 else { return try plainFixed(field.type, slot) }
    let offset = try reader.int(4)
    let length = try reader.int(4)
    let position = offset & 0x7FFF_FFFF
    guard position + length <= row.count else { throw PlainBytes.TooShort() }
    let bytes = Array(row[position..<position + length])
    guard offset >> 31 == 1 else {
      return field.type == 8 ? .text(String(decoding: bytes, as: UTF8.self)) : .data(bytes)
    }
    var blob = PlainBytes(bytes)
    return try plainBlob(&blob)
  }
}

/// Decodes the fixed-size bytes of a type.
func plainFixed(_ type: UInt64, _ bytes: [UInt8]) throws -> PlainValue {
  var reader = PlainBytes(bytes)
  switch type {
  case 1: return .bool(try reader.number(1) != 0)
  case 2: return .int(Int64(Int8(truncatingIfNeeded: try reader.number(1))))
  case 3: return .int(Int64(Int16(truncatingIfNeeded: try reader.number(2))))
  case 4: return .int(Int64(Int32(truncatingIfNeeded: try reader.number(4))))
  case 5: return .int(Int64(bitPattern: try reader.number(8)))
  case 6: return .bits(try reader.number(4))
  case 7, 10: return .bits(try reader.number(8))
  case 11: return .data(try reader.take(16))
  case 12: return .data(try reader.take(12))
  case 15: return .link(try reader.number(8))
  default: throw PlainBytes.TooShort()
  }
}

/// Returns the element of an entry of a dictionary or a set outside the rows.
func plainEntryElement(_ key: [UInt8], _ value: [UInt8]) throws -> [UInt8] {
  var reader = PlainBytes(value)
  let element = try reader.take(value.count - 4)
  guard try reader.number(4) == plainCRC32C(key + element) else { throw PlainBytes.TooShort() }
  return element
}

/// Decodes a reference to a blob.
func plainBlob(_ reader: inout PlainBytes) throws -> PlainValue {
  .blob(id: try reader.number(8), count: try reader.number(4), checksum: try reader.number(4))
}

/// Decodes an element and the whole key that may follow it.
func plainElement(_ bytes: [UInt8]) throws -> (value: PlainValue, wholeKey: String?) {
  guard let tag = bytes.first else { throw PlainBytes.TooShort() }
  var payload = Array(bytes.dropFirst())
  var wholeKey: String?
  if tag & 0x80 != 0 {
    var length = PlainBytes(Array(payload.suffix(4)))
    let count = try length.int(4)
    wholeKey = String(decoding: payload.dropLast(4).suffix(count), as: UTF8.self)
    payload = Array(payload.dropLast(4 + count))
  }
  var reader = PlainBytes(payload)
  if tag & 0x40 != 0 {
    return (try plainBlob(&reader), wholeKey)
  }
  switch tag & 0x1F {
  case 0: return (.null, wholeKey)
  case 8: return (.text(String(decoding: payload, as: UTF8.self)), wholeKey)
  case 9: return (.data(payload), wholeKey)
  case 15:
    _ = try reader.number(4)
    return (.link(try reader.number(8)), wholeKey)
  case let type: return (try plainFixed(UInt64(type), payload), wholeKey)
  }
}
