import Foundation

// The typed form: the property's own type is known, so only its own values must be ordered.

extension OrderedKey {
  /// Appends a string.
  ///
  /// - Returns: Whether the value part was cut; then the entry's value must contain the whole
  ///   string.
  /// - Complexity: O(n).
  package mutating func append(string value: String, fileKey: FileKey) -> Bool {
    var value = value
    return value.withUTF8 { append(bytes: UnsafeRawBufferPointer($0), fileKey: fileKey) }
  }

  /// Appends data, or a string given as its UTF-8 bytes.
  ///
  /// - Returns: Whether the value part was cut; then the entry's value must contain the whole
  ///   bytes.
  /// - Complexity: O(n).
  package mutating func append(bytes value: UnsafeRawBufferPointer, fileKey: FileKey) -> Bool {
    let start = bytes.count
    bytes.append(Self.present)
    return appendEscaped(value, valueStart: start, fileKey: fileKey)
  }

  /// Appends a value of the property's own type, or null.
  ///
  /// - Returns: Whether the value part was cut.
  package mutating func append(_ value: Value, fileKey: FileKey) -> Bool {
    switch value {
    case .string(let value): return append(string: value, fileKey: fileKey)
    case .data(let value):
      return value.withUnsafeBytes { append(bytes: $0, fileKey: fileKey) }
    default:
      _ = appendFixed(value)
      return false
    }
  }

  /// Appends a value in the typed form, or in the mixed form if the property is mixed.
  ///
  /// - Returns: Whether the value part was cut.
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
  /// - Returns: Whether the value part was cut; then the entry's value must contain the whole
  ///   string.
  package mutating func appendBare(string value: String, fileKey: FileKey) -> Bool {
    var value = value
    return value.withUTF8 { appendBare(bytes: UnsafeRawBufferPointer($0), fileKey: fileKey) }
  }

  /// Appends a string given as its UTF-8 bytes, without a presence byte.
  ///
  /// - Returns: Whether the value part was cut; then the entry's value must contain the whole
  ///   bytes.
  package mutating func appendBare(bytes value: UnsafeRawBufferPointer, fileKey: FileKey) -> Bool {
    appendEscaped(value, valueStart: bytes.count, fileKey: fileKey)
  }
}

extension OrderedKey {
  /// Appends a value as the end of a key that stays in memory: with the order and equality of keys,
  /// but with strings and data uncut and without an end mark.
  ///
  /// - Complexity: O(bytes).
  package mutating func appendWhole(_ value: Value, propertyType: PropertyType) {
    let isMixed = propertyType == .mixed
    switch value {
    case .string(var string):
      bytes.append(isMixed ? KeyRank.string : Self.present)
      string.withUTF8 { bytes.append(contentsOf: $0) }
    case .data(let data):
      bytes.append(isMixed ? KeyRank.data : Self.present)
      bytes.append(contentsOf: data)
    default:
      // No other value is cut, so no hash is computed.
      _ = append(value, propertyType: propertyType, fileKey: FileKey(low: 0, high: 0))
    }
  }
}
