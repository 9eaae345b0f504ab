/// The nodes of list trees: the common parts of leaves and inner nodes. Byte layout:
/// Docs/Format.md, "List nodes".
@usableFromInline
package enum ListNode {
  /// The maximum length of a node, chosen so that two nodes fit into a page of LMDB.
  package static let maximumBytes = 2000
  @usableFromInline package static let headerBytes = 12

  @usableFromInline static let leafKind: UInt8 = 1
  @usableFromInline static let innerKind: UInt8 = 2
  @usableFromInline static let kindOffset = 4
  @usableFromInline static let formatOffset = 5
  @usableFromInline static let countOffset = 6
  @usableFromInline static let lengthOffset = 8

  /// Whether the bytes are a leaf or an inner node.
  @usableFromInline
  package enum Kind: Sendable {
    case leaf
    case inner
  }

  /// Returns the kind of a node.
  ///
  /// - Throws: `truncated` or `badTag`.
  @inlinable
  package static func kind(
    of bytes: UnsafeRawBufferPointer
  ) throws(FormatError) -> Kind {
    guard bytes.count >= headerBytes, let base = bytes.baseAddress else {
      throw FormatError(
        .truncated, "a list node is shorter than its header", expected: UInt64(headerBytes),
        found: UInt64(bytes.count))
    }
    switch base.uint8(at: kindOffset) {
    case leafKind: return .leaf
    case innerKind: return .inner
    case let found:
      throw FormatError(
        .badTag, "the kind of a list node", offset: kindOffset, found: UInt64(found))
    }
  }

  /// Checks a header against the bytes.
  @usableFromInline
  static func validate(
    _ bytes: UnsafeRawBufferPointer, kind expected: Kind, format: UInt8
  ) throws(FormatError) -> UnsafeRawPointer {
    guard try kind(of: bytes) == expected, let base = bytes.baseAddress else {
      throw FormatError(
        .badTag, "a list node is of the other kind", offset: kindOffset)
    }
    guard base.uint8(at: formatOffset) == format else {
      throw FormatError(
        .wrongLayout, "a list node has another element format", offset: formatOffset,
        expected: UInt64(format), found: UInt64(base.uint8(at: formatOffset)))
    }
    guard Int(base.uint32(at: lengthOffset)) == bytes.count else {
      throw FormatError(
        .badLength, "a list node has another length than its header states", offset: lengthOffset,
        expected: UInt64(base.uint32(at: lengthOffset)), found: UInt64(bytes.count))
    }
    return base
  }

  /// Verifies the checksum of a node of at least ``headerBytes`` bytes.
  ///
  /// - Throws: `truncated` or `badChecksum`.
  package static func verifyChecksum(
    _ bytes: UnsafeRawBufferPointer, _ key: ListNodeKey
  ) throws(FormatError) {
    _ = try kind(of: bytes)
    let stored = bytes.uint32(at: 0)
    let actual = checksum(UnsafeRawBufferPointer(rebasing: bytes[4...]), key)
    guard actual == stored else {
      throw FormatError(
        .badChecksum, "a list node has a wrong checksum", offset: 0, expected: UInt64(stored),
        found: UInt64(actual))
    }
  }

  /// Returns the checksum of a node, which depends on the key: nodes stored under each other's keys
  /// are found.
  private static func checksum(_ rest: UnsafeRawBufferPointer, _ key: ListNodeKey) -> UInt32 {
    CRC32C.checksum(after: key.listID.bigEndian, key.nodeID.bigEndian, rest)
  }

  /// Writes a header, and the checksum of the bytes that follow it.
  static func seal(
    _ base: UnsafeMutableRawPointer, _ key: ListNodeKey, kind: UInt8, format: UInt8, count: Int,
    byteCount: Int
  ) -> UnsafeRawBufferPointer {
    precondition(
      byteCount <= maximumBytes, "A list node must be split before it is finished.")
    base.store(kind, at: kindOffset)
    base.store(format, at: formatOffset)
    base.store(UInt16(truncatingIfNeeded: count), at: countOffset)
    base.store(UInt32(truncatingIfNeeded: byteCount), at: lengthOffset)
    let rest = UnsafeRawBufferPointer(start: base + 4, count: byteCount - 4)
    base.store(checksum(rest, key), at: 0)
    return UnsafeRawBufferPointer(start: base, count: byteCount)
  }
}
