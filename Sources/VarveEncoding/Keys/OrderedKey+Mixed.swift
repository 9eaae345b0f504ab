import Foundation

// The mixed form: the type is not known, values of different types have one order.

extension OrderedKey {
  /// Appends a value of any type in the mixed form.
  ///
  /// - Returns: whether the value part was cut; then the entry's value must carry the whole bytes.
  package mutating func appendMixed(_ value: Value, fileKey: FileKey) -> Bool {
    switch value {
    case .null: bytes.append(KeyRank.null)
    case .bool(let value):
      bytes.append(KeyRank.bool)
      bytes.append(value ? 1 : 0)
    case .int(let value): appendMixed(int: value)
    case .float(let value): appendMixed(double: Double(value))
    case .double(let value): appendMixed(double: value)
    case .string(var value):
      return value.withUTF8 {
        appendMixed(
          bytes: UnsafeRawBufferPointer($0), rank: KeyRank.string, fileKey: fileKey)
      }
    case .data(let value):
      return value.withUnsafeBytes {
        appendMixed(bytes: $0, rank: KeyRank.data, fileKey: fileKey)
      }
    case .date(let value):
      bytes.append(KeyRank.date)
      append(uint64: OrderedDouble.bits(value.timeIntervalSinceReferenceDate))
    case .uuid(let value):
      bytes.append(KeyRank.uuid)
      Swift.withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
    case .objectId(let value):
      bytes.append(KeyRank.objectId)
      append(uint64: value.high)
      append(uint32: value.low)
    case .decimal(let value): appendMixed(decimal: value)
    case .link(let classID, let objectID):
      bytes.append(KeyRank.link)
      append(uint32: classID)
      append(uint64: objectID)
    case .nested(let kind, let slot):
      bytes.append(kind == .dictionary ? KeyRank.dictionary : KeyRank.list)
      append(uint64: slot.id)
    }
    return false
  }

  /// Appends a Double: it is its own floor.
  package mutating func appendMixed(double value: Double) {
    bytes.append(KeyRank.number)
    append(uint64: OrderedDouble.bits(value))
    bytes.append(ExactDecimal.isDouble)
  }

  /// Appends an integer: the greatest Double not above it, and the exact number if that differs.
  package mutating func appendMixed(int value: Int64) {
    let floor = OrderedDouble.floor(value)
    bytes.append(KeyRank.number)
    append(uint64: OrderedDouble.bits(floor))
    if Int64(exactly: floor) == value {
      bytes.append(ExactDecimal.isDouble)
    } else {
      bytes.append(ExactDecimal.isAboveDouble)
      ExactDecimal(value).append(to: &self)
    }
  }

  /// Appends a decimal number: its floor, and the exact number if that differs.
  package mutating func appendMixed(decimal value: Decimal128Bits) {
    let floor = value.floor
    bytes.append(KeyRank.number)
    append(uint64: OrderedDouble.bits(floor.double))
    if !floor.isExact, let number = value.finite {
      bytes.append(ExactDecimal.isAboveDouble)
      ExactDecimal(number).append(to: &self)
    } else {
      bytes.append(ExactDecimal.isDouble)
    }
  }

  private mutating func appendMixed(
    bytes value: UnsafeRawBufferPointer, rank: UInt8, fileKey: FileKey
  ) -> Bool {
    let start = bytes.count
    bytes.append(rank)
    return appendEscaped(value, valueStart: start, fileKey: fileKey)
  }
}
