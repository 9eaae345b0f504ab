import Foundation

/// What a value part says: the value, or that it was cut.
package enum KeyValue: Hashable, Sendable {
  case value(Value)
  /// A string or data whose whole bytes stand in the entry's value.
  case cut(type: PropertyType, hash: Hash128)
}

/// Reads a key from its start to its end.
///
/// Thread safety: a value; the bytes belong to the caller and must outlive it.
package struct KeyDecoder {
  private var reader: ByteReader

  package init(_ key: UnsafeRawBufferPointer) { reader = ByteReader(key) }

  /// The bytes that are not read yet.
  package var remaining: Int { reader.remaining }

  /// Where the next byte is read.
  package var position: Int { reader.position }

  /// Reads 4 bytes, big-endian.
  package mutating func uint32() throws(FormatError) -> UInt32 {
    try reader.uint32().byteSwapped
  }

  /// Reads 8 bytes, big-endian.
  package mutating func uint64() throws(FormatError) -> UInt64 {
    try reader.uint64().byteSwapped
  }

  /// Checks that nothing follows.
  package func finish() throws(FormatError) { try reader.finish() }

  /// Reads a value part in the form that keys of such a property have.
  ///
  /// The class of a link, which the typed form does not hold, is given.
  package mutating func value(
    propertyType: PropertyType, linkClass: UInt32 = 0
  ) throws(FormatError) -> KeyValue {
    propertyType == .mixed
      ? try mixed() : try typed(propertyType, linkClass: linkClass)
  }

  /// Reads a value part in the typed form.
  ///
  /// The class of a link, which the typed form does not hold, is given.
  package mutating func typed(
    _ type: PropertyType, linkClass: UInt32 = 0
  ) throws(FormatError) -> KeyValue {
    let start = reader.position
    let presence = try reader.uint8()
    if presence == OrderedKey.null { return .value(.null) }
    guard presence == OrderedKey.present else {
      throw FormatError(
        .badTag, "the presence byte of a key", offset: start, found: UInt64(presence))
    }
    switch type {
    case .bool: return .value(.bool(try reader.flag()))
    case .int8, .int16, .int32, .int64:
      return .value(.int(Int64(bitPattern: try uint64() ^ 1 << 63)))
    case .float: return .value(.float(Float(try orderedDouble())))
    case .double: return .value(.double(try orderedDouble()))
    case .date: return .value(.date(try orderedDate()))
    case .uuid: return .value(.uuid(try uuid()))
    case .objectId: return .value(.objectId(try objectId()))
    case .decimal128: return .value(.decimal(try ExactDecimal.keyedNumber(&reader)))
    case .link: return .value(.link(classID: linkClass, objectID: try uint64()))
    case .string, .data: return try variable(type, valueStart: start)
    case .mixed:
      throw FormatError(
        .unsupported, "the type has no typed keys", found: UInt64(type.rawValue))
    }
  }

  /// Reads a value part in the mixed form. A number that is a Double comes back as one, else as an
  /// integer if it is one, else as a decimal, whatever type it had; the entry's value keeps the type.
  package mutating func mixed() throws(FormatError) -> KeyValue {
    let start = reader.position
    let rank = try reader.uint8()
    switch rank {
    case KeyRank.null: return .value(.null)
    case KeyRank.bool: return .value(.bool(try reader.flag()))
    case KeyRank.number: return .value(try number())
    case KeyRank.string: return try variable(.string, valueStart: start)
    case KeyRank.data: return try variable(.data, valueStart: start)
    case KeyRank.date: return .value(.date(try orderedDate()))
    case KeyRank.objectId: return .value(.objectId(try objectId()))
    case KeyRank.uuid: return .value(.uuid(try uuid()))
    case KeyRank.link:
      return .value(.link(classID: try uint32(), objectID: try uint64()))
    case KeyRank.list: return .value(try nested(.list))
    case KeyRank.dictionary: return .value(try nested(.dictionary))
    default:
      throw FormatError(.badTag, "the rank byte of a key", offset: start, found: UInt64(rank))
    }
  }

  /// Reads a string in the bare form.
  package mutating func bareString() throws(FormatError) -> KeyValue {
    try variable(.string, valueStart: reader.position)
  }
}

extension KeyDecoder {
  private mutating func orderedDouble() throws(FormatError) -> Double {
    try OrderedDouble.value(try uint64())
  }

  private mutating func orderedDate() throws(FormatError) -> Date {
    Date(timeIntervalSinceReferenceDate: try orderedDouble())
  }

  private mutating func uuid() throws(FormatError) -> UUID {
    UUID(uuid: try reader.slice(16).loadUnaligned(as: uuid_t.self))
  }

  private mutating func objectId() throws(FormatError) -> ObjectIdBytes {
    ObjectIdBytes(high: try uint64(), low: try uint32())
  }

  private mutating func nested(_ kind: CollectionKind) throws(FormatError) -> Value {
    .nested(kind, CollectionSlot(id: try uint64(), revision: 0, count: 0))
  }

  private mutating func number() throws(FormatError) -> Value {
    let floor = try orderedDouble()
    switch try reader.uint8() {
    case ExactDecimal.isDouble: return .double(floor)
    case ExactDecimal.isAboveDouble:
      let decimal = try ExactDecimal(decoding: &reader)
      if let value = decimal.int64 {
        guard OrderedDouble.floor(value) == floor, Int64(exactly: floor) != value else {
          throw Self.disagreement
        }
        return .int(value)
      }
      let value = try decimal.decimal
      let (expected, isExact) = value.floor
      guard expected == floor, !isExact else { throw Self.disagreement }
      return .decimal(value)
    case let found:
      throw FormatError(.badTag, "the byte after the Double of a number", found: UInt64(found))
    }
  }

  private static var disagreement: FormatError {
    FormatError(.badValue, "a number in a key disagrees with its Double")
  }

  /// Reads escaped bytes up to their end mark, or to the border and the hash of a cut part.
  private mutating func variable(
    _ type: PropertyType, valueStart: Int
  ) throws(FormatError) -> KeyValue {
    let bytes = reader.bytes
    let border = valueStart + OrderedKey.maximumValueBytes
    var index = reader.position
    var escapes = 0
    // A zero at the last byte before the border is half an escape or half an end: a cut part.
    while index < min(border - 1, bytes.count - 1) {
      guard bytes[index] == 0 else {
        index += 1
        continue
      }
      let next = bytes[index + 1]
      if next == 0x01 { return .value(try unescape(type, end: index, escapes: escapes)) }
      guard next == 0xFF else {
        throw FormatError(
          .badValue, "an escape in a key", offset: index + 1, found: UInt64(next))
      }
      escapes += 1
      index += 2
    }
    guard bytes.count > border else {
      throw FormatError(.truncated, "a key has no end mark", offset: bytes.count)
    }
    return try cutPart(type, border: border)
  }

  private mutating func cutPart(
    _ type: PropertyType, border: Int
  ) throws(FormatError) -> KeyValue {
    _ = try reader.slice(border - reader.position)
    let marker = try reader.uint8()
    guard marker == OrderedKey.cutMarker else {
      throw FormatError(
        .badTag, "the marker of a cut key", offset: border,
        expected: UInt64(OrderedKey.cutMarker), found: UInt64(marker))
    }
    return .cut(type: type, hash: try Hash128(decoding: try reader.slice(Hash128.byteCount)))
  }

  /// Takes the bytes up to the end mark at `end`, and the mark.
  private mutating func unescape(
    _ type: PropertyType, end: Int, escapes: Int
  ) throws(FormatError) -> Value {
    let escaped = try reader.slice(end - reader.position)
    _ = try reader.uint16()
    guard escapes > 0 else { return try VariableValue.value(type, escaped) }
    var plain: [UInt8] = []
    plain.reserveCapacity(escaped.count - escapes)
    var index = 0
    while index < escaped.count {
      plain.append(escaped[index])
      index += escaped[index] == 0 ? 2 : 1
    }
    return try plain.withUnsafeBufferPointer { (buffer) throws(FormatError) -> Value in
      try VariableValue.value(type, UnsafeRawBufferPointer(buffer))
    }
  }
}
