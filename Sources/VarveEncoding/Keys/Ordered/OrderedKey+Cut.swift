// Strings and data in keys: escaped, terminated, and cut if they exceed LMDB's key size.

extension OrderedKey {
  /// The end mark of a string or data. A 0x00 inside them is escaped as 0x00 0xFF.
  static let endMark: (UInt8, UInt8) = (0x00, 0x01)

  /// Appends bytes so that keys keep their order whatever follows (see ``appendTerminated(_:)``),
  /// and cuts the value part that begins at `valueStart` if it is too long.
  ///
  /// - Returns: Whether it was cut.
  mutating func appendEscaped(
    _ source: UnsafeRawBufferPointer, valueStart: Int, fileKey: FileKey
  ) -> Bool {
    appendTerminated(source)
    return cut(valueStart: valueStart, fileKey: fileKey)
  }

  /// Appends the escaped bytes and their end: 0x00 becomes 0x00 0xFF, the end 0x00 0x01.
  mutating func appendTerminated(_ source: UnsafeRawBufferPointer) {
    appendEscapes(source)
    bytes.append(Self.endMark.0)
    bytes.append(Self.endMark.1)
  }

  /// Appends the escaped bytes without their end.
  mutating func appendEscapes(_ source: UnsafeRawBufferPointer) {
    guard UTF8Text.hasZero(source) else {
      bytes.append(contentsOf: source)
      return
    }
    for byte in source {
      bytes.append(byte)
      if byte == 0 { bytes.append(0xFF) }
    }
  }

  /// Cuts a value part over ``maximumValueBytes``, counted from `valueStart` and with its presence
  /// or rank byte: the excess is replaced by a marker and the hash of the whole.
  ///
  /// - Returns: Whether it was cut.
  mutating func cut(valueStart: Int, fileKey: FileKey) -> Bool {
    guard bytes.count - valueStart > Self.maximumValueBytes else { return false }
    let hash = bytes[valueStart...].withUnsafeBytes { SipHasher128.hash($0, key: fileKey) }
    // A new array, so that the key does not keep the capacity of the whole value.
    bytes = [UInt8](bytes[..<(valueStart + Self.maximumValueBytes)])
    bytes.append(Self.cutMarker)
    bytes.append(contentsOf: hash.bytes)
    return true
  }
}
