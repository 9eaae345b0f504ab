public import Foundation

// The typed form: the property's own type is known, so only its own values must be in order.

extension OrderedKey {
  @inlinable
  package mutating func appendNull() { bytes.append(Self.null) }

  @inlinable
  package mutating func append(bool value: Bool) {
    bytes.append(Self.present)
    bytes.append(value ? 1 : 0)
  }

  /// Appends an integer of any width: all are 8 bytes in keys.
  @inlinable
  package mutating func append(int value: Int64) {
    bytes.append(Self.present)
    append(uint64: UInt64(bitPattern: value) ^ 1 << 63)
  }

  /// Appends a Double or a widened Float.
  @inlinable
  package mutating func append(double value: Double) {
    bytes.append(Self.present)
    append(uint64: OrderedDouble.bits(value))
  }

  @inlinable
  package mutating func append(date value: Date) {
    append(double: value.timeIntervalSinceReferenceDate)
  }

  @inlinable
  package mutating func append(uuid value: UUID) {
    bytes.append(Self.present)
    Swift.withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
  }

  @inlinable
  package mutating func append(objectId value: ObjectIdBytes) {
    bytes.append(Self.present)
    append(uint64: value.high)
    append(uint32: value.low)
  }

  /// Appends the object of a link whose class is known.
  @inlinable
  package mutating func append(link objectID: UInt64) {
    bytes.append(Self.present)
    append(uint64: objectID)
  }

  /// Appends a string.
  ///
  /// - Returns: whether the value part was cut; then the entry's value must carry the whole string.
  /// - Complexity: O(*n*).
  package mutating func append(string value: String, fileKey: FileKey) -> Bool {
    var value = value
    return value.withUTF8 { append(bytes: UnsafeRawBufferPointer($0), fileKey: fileKey) }
  }

  /// Appends data, or a string given as its UTF-8 bytes.
  ///
  /// - Returns: whether the value part was cut; then the entry's value must carry the whole bytes.
  /// - Complexity: O(*n*).
  package mutating func append(bytes value: UnsafeRawBufferPointer, fileKey: FileKey) -> Bool {
    let start = bytes.count
    bytes.append(Self.present)
    return appendEscaped(value, valueStart: start, fileKey: fileKey)
  }

  /// Appends a value of the property's own type, or null.
  ///
  /// - Returns: whether the value part was cut.
  package mutating func append(_ value: Value, fileKey: FileKey) -> Bool {
    switch value {
    case .null: appendNull()
    case .bool(let value): append(bool: value)
    case .int(let value): append(int: value)
    case .float(let value): append(double: Double(value))
    case .double(let value): append(double: value)
    case .string(let value): return append(string: value, fileKey: fileKey)
    case .data(let value):
      return value.withUnsafeBytes { append(bytes: $0, fileKey: fileKey) }
    case .date(let value): append(date: value)
    case .uuid(let value): append(uuid: value)
    case .objectId(let value): append(objectId: value)
    case .link(_, let objectID): append(link: objectID)
    }
    return false
  }

  /// Appends a value in the typed form, or in the mixed form if the property is mixed.
  ///
  /// - Returns: whether the value part was cut.
  package mutating func append(
    _ value: Value, propertyType: PropertyType, fileKey: FileKey
  ) -> Bool {
    propertyType == .mixed
      ? appendMixed(value, fileKey: fileKey) : append(value, fileKey: fileKey)
  }
}

// The bare form.

extension OrderedKey {
  /// Appends a string that is never null, without a presence byte: the key of a dictionary.
  ///
  /// - Returns: whether the value part was cut; then the entry's value must carry the whole string.
  package mutating func appendBare(string value: String, fileKey: FileKey) -> Bool {
    var value = value
    return value.withUTF8 { appendBare(bytes: UnsafeRawBufferPointer($0), fileKey: fileKey) }
  }

  /// Appends a string given as its UTF-8 bytes, without a presence byte.
  ///
  /// - Returns: whether the value part was cut; then the entry's value must carry the whole bytes.
  package mutating func appendBare(bytes value: UnsafeRawBufferPointer, fileKey: FileKey) -> Bool {
    appendEscaped(value, valueStart: bytes.count, fileKey: fileKey)
  }
}
