// Strings and data in keys: escaped, terminated, and cut where LMDB's keys would grow too long.

extension OrderedKey {
  /// What ends a string or data: 0x00, which stands in them as 0x00 0xFF.
  static let endMark: (UInt8, UInt8) = (0x00, 0x01)

  /// Appends bytes in a form whose order is theirs, whatever follows: 0x00 becomes 0x00 0xFF, the end
  /// 0x00 0x01. A value part over ``maximumValueBytes``, counted from `valueStart` and with its presence
  /// or rank byte, is cut.
  ///
  /// - Returns: whether it was cut.
  mutating func appendEscaped(
    _ source: UnsafeRawBufferPointer, valueStart: Int, fileKey: FileKey
  ) -> Bool {
    let room = Self.maximumValueBytes - (bytes.count - valueStart) - 2
    guard source.count <= room, source.count + Self.zeros(in: source) <= room else {
      appendCut(source, valueStart: valueStart, fileKey: fileKey)
      return true
    }
    appendEscapes(source)
    bytes.append(Self.endMark.0)
    bytes.append(Self.endMark.1)
    return false
  }

  /// Appends the escaped bytes without their end.
  mutating func appendEscapes(_ source: UnsafeRawBufferPointer) {
    guard Self.zeros(in: source) > 0 else {
      bytes.append(contentsOf: source)
      return
    }
    for byte in source {
      bytes.append(byte)
      if byte == 0 { bytes.append(0xFF) }
    }
  }

  private static func zeros(in source: UnsafeRawBufferPointer) -> Int {
    var zeros = 0
    for byte in source where byte == 0 { zeros += 1 }
    return zeros
  }

  private mutating func appendCut(
    _ source: UnsafeRawBufferPointer, valueStart: Int, fileKey: FileKey
  ) {
    let hash = Self.hash(
      of: source, after: bytes[valueStart...], fileKey: fileKey)
    let end = valueStart + Self.maximumValueBytes
    // Escaping never shortens, so this many bytes are enough to fill the part.
    appendEscapes(UnsafeRawBufferPointer(rebasing: source.prefix(end - bytes.count)))
    // One byte too long in all, or two: the border then lies inside the end mark or just before it.
    if bytes.count < end { bytes.append(0x00) }
    truncate(to: end)
    bytes.append(Self.cutMarker)
    bytes.append(contentsOf: hash.bytes)
  }

  /// The hash of the whole value part, which is never put together in memory.
  private static func hash(
    of source: UnsafeRawBufferPointer, after lead: ArraySlice<UInt8>, fileKey: FileKey
  ) -> Hash128 {
    var hasher = SipHasher128(key: fileKey)
    for byte in lead { hasher.update(byte) }
    var start = 0
    for index in source.indices where source[index] == 0 {
      hasher.update(UnsafeRawBufferPointer(rebasing: source[start...index]))
      hasher.update(0xFF)
      start = index + 1
    }
    hasher.update(UnsafeRawBufferPointer(rebasing: source[start...]))
    hasher.update(endMark.0)
    hasher.update(endMark.1)
    return hasher.finish()
  }
}
