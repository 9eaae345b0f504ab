public import Foundation

/// A buffer to which the parts of a key are appended, from the left.
///
/// This protocol has the fixed-width parts of the typed form: the property's own type is known, so
/// only its own values must be ordered.
@usableFromInline
package protocol KeyParts {
  mutating func append(byte: UInt8)
  /// Appends 4 bytes, big-endian.
  mutating func append(uint32: UInt32)
  /// Appends 8 bytes, big-endian.
  mutating func append(uint64: UInt64)
}

extension KeyParts {
  @inlinable
  package mutating func appendNull() { append(byte: OrderedKey.null) }

  @inlinable
  package mutating func append(bool value: Bool) {
    append(byte: OrderedKey.present)
    append(byte: value ? 1 : 0)
  }

  /// Appends an integer of any width: all are 8 bytes in keys.
  @inlinable
  package mutating func append(int value: Int64) {
    append(byte: OrderedKey.present)
    append(uint64: UInt64(bitPattern: value) ^ 1 << 63)
  }

  /// Appends a Double or a widened Float.
  @inlinable
  package mutating func append(double value: Double) {
    append(byte: OrderedKey.present)
    append(uint64: OrderedDouble.bits(value))
  }

  @inlinable
  package mutating func append(date value: Date) {
    append(double: value.timeIntervalSinceReferenceDate)
  }

  @inlinable
  package mutating func append(uuid value: UUID) {
    append(byte: OrderedKey.present)
    let halves = unsafeBitCast(value.uuid, to: (UInt64, UInt64).self)
    append(uint64: UInt64(bigEndian: halves.0))
    append(uint64: UInt64(bigEndian: halves.1))
  }

  @inlinable
  package mutating func append(objectId value: ObjectIdBytes) {
    append(byte: OrderedKey.present)
    append(uint64: value.high)
    append(uint32: value.low)
  }

  /// Appends a decimal number: equal numbers have the same bytes.
  package mutating func append(decimal value: Decimal128Bits) {
    append(byte: OrderedKey.present)
    ExactDecimal.appendKey(of: value, to: &self)
  }

  /// Appends the target of a link whose class is known.
  @inlinable
  package mutating func append(link objectID: UInt64) {
    append(byte: OrderedKey.present)
    append(uint64: objectID)
  }

  /// Appends a value that is neither a string nor data, or null.
  ///
  /// - Returns: False for a string and for data, of which nothing is appended.
  package mutating func appendFixed(_ value: Value) -> Bool {
    switch value {
    case .null: appendNull()
    case .bool(let value): append(bool: value)
    case .int(let value): append(int: value)
    case .float(let value): append(double: Double(value))
    case .double(let value): append(double: value)
    case .date(let value): append(date: value)
    case .uuid(let value): append(uuid: value)
    case .objectId(let value): append(objectId: value)
    case .decimal(let value): append(decimal: value)
    case .link(_, let objectID): append(link: objectID)
    case .string, .data, .nested: return false
    }
    return true
  }
}

extension OrderedKey: KeyParts {}

/// A key of at most 32 bytes, stored inline: an id and a value of a fixed width.
@usableFromInline
package struct ShortKey: KeyParts {
  @usableFromInline var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  @usableFromInline var count = 0

  @inlinable
  package init() {}

  @inlinable
  package mutating func append(byte: UInt8) { append(raw: byte) }
  @inlinable
  package mutating func append(uint32 value: UInt32) { append(raw: value.bigEndian) }
  @inlinable
  package mutating func append(uint64 value: UInt64) { append(raw: value.bigEndian) }

  /// - Precondition: The capacity suffices.
  @inlinable @inline(__always)
  mutating func append<T: FixedWidthInteger & BitwiseCopyable>(raw value: T) {
    precondition(count + MemoryLayout<T>.size <= MemoryLayout.size(ofValue: bytes))
    Swift.withUnsafeMutableBytes(of: &bytes) {
      $0.storeBytes(of: value, toByteOffset: count, as: T.self)
    }
    count += MemoryLayout<T>.size
  }

  /// Changes the key to the first one after all keys that begin with it.
  ///
  /// - Returns: False if there is none, because all bytes are 0xFF. The key is then empty.
  package mutating func moveAfterAllWithPrefix() -> Bool {
    while count > 0 {
      let last = count - 1
      let isMoved = Swift.withUnsafeMutableBytes(of: &bytes) { bytes in
        guard bytes[last] != 0xFF else { return false }
        bytes[last] += 1
        return true
      }
      if isMoved { return true }
      count = last
    }
    return false
  }

  /// Calls `body` with the bytes.
  @inlinable
  package func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    Swift.withUnsafeBytes(of: bytes) { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }
}
