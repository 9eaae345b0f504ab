import Foundation

// The mixed form: the type is unknown, and values of different types have one order.

extension OrderedKey {
  /// Appends a value of any type in the mixed form.
  ///
  /// - Returns: Whether the value part was cut; then the entry's value must contain the whole
  ///   bytes.
  package mutating func appendMixed(_ value: Value, fileKey: FileKey) -> Bool {
    switch value {
    case .null: bytes.append(KeyRank.null)
    case .bool(let value):
      bytes.append(KeyRank.bool)
      bytes.append(value ? 1 : 0)
    case .int, .float, .double, .decimal: appendMixed(number: value)
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

  /// Appends a number: the greatest Double not above it, and the exact number if it differs.
  private mutating func appendMixed(number value: Value) {
    guard let (floor, isExact) = value.doubleFloor else { return }
    bytes.append(KeyRank.number)
    append(uint64: OrderedDouble.bits(floor))
    bytes.append(isExact ? ExactDecimal.isDouble : ExactDecimal.isAboveDouble)
    if isExact { return }
    if case .int(let value) = value { ExactDecimal(value).append(to: &self) }
    if case .decimal(let value) = value, let number = value.finite {
      ExactDecimal(number).append(to: &self)
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
