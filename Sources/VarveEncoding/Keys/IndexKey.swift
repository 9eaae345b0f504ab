import Foundation

/// Entries of the table `indexes`: index id, ordered value, and the object id if the value alone
/// does not identify the entry.
///
/// The object id is in the key if the index is not unique, or if the value is null in a unique
/// index other than the primary key's; otherwise it is in the entry's value. Byte layout:
/// Docs/Format.md, "Keys of the tables".
@usableFromInline
package enum IndexKey {
  /// The offset of the value part.
  @usableFromInline package static let valueStart = 4

  /// Whether the key of an entry ends in the object id.
  @inlinable
  package static func containsObjectID(isUnique: Bool, isPrimary: Bool, isNull: Bool) -> Bool {
    !isUnique || (isNull && !isPrimary)
  }

  /// Starts a key with the common prefix of all entries of an index.
  @inlinable
  package static func begin(_ key: inout OrderedKey, indexID: UInt32) {
    key.removeAll(keepingCapacity: true)
    key.append(uint32: indexID)
  }

  /// Returns the key of an entry that is found by its value alone, if the value has a fixed width;
  /// nil for a string and for data.
  package static func short(indexID: UInt32, _ value: Value) -> ShortKey? {
    var key = ShortKey()
    key.append(uint32: indexID)
    return key.appendFixed(value) ? key : nil
  }

  /// Returns the edges of the entries whose values equal a constant of a fixed width and of the
  /// property's own type: those of ``OrderedKey/edgesOfEqual(to:type:linkClass:)``, without an
  /// allocation. Bytes of zero at the end of the upper edge may be missing; no key is between both.
  ///
  /// - Returns: nil for other constants, NaN among them.
  package static func shortEdges(
    ofEqual constant: Value, type: PropertyType, indexID: UInt32
  ) -> (lower: ShortKey, upper: ShortKey)? {
    switch (constant, type) {
    case (.int, .int8), (.int, .int16), (.int, .int32), (.int, .int64): break
    case (.bool, .bool), (.uuid, .uuid), (.objectId, .objectId): break
    case (.double(let double), .double) where !double.isNaN: break
    case (.date(let date), .date) where !date.timeIntervalSinceReferenceDate.isNaN: break
    default: return nil
    }
    guard let lower = short(indexID: indexID, constant) else { return nil }
    var upper = lower
    return upper.moveAfterAllWithPrefix() ? (lower, upper) : nil
  }

  /// The number of bytes of a short string's key in addition to the string: the index's id, the
  /// presence byte and the end.
  package static let shortOverhead = valueStart + 3

  /// Whether a string is stored verbatim in its key: uncut, and without a zero byte.
  package static func isShort(_ utf8: UnsafeRawBufferPointer) -> Bool {
    utf8.count <= OrderedKey.maximumValueBytes - 3 && !UTF8Text.hasZero(utf8)
  }

  /// Encodes the key of an entry that is found by its string alone, in memory of the caller.
  ///
  /// - Precondition: The string is short (``isShort(_:)``), and the buffer is longer than it by
  ///   exactly ``shortOverhead``.
  package static func encode(
    short utf8: UnsafeRawBufferPointer, indexID: UInt32,
    into buffer: UnsafeMutableRawBufferPointer
  ) {
    buffer.storeBytes(of: indexID.bigEndian, as: UInt32.self)
    buffer[valueStart] = OrderedKey.present
    let start = valueStart + 1
    let end = start + utf8.count
    UnsafeMutableRawBufferPointer(rebasing: buffer[start..<end]).copyMemory(from: utf8)
    buffer[end] = OrderedKey.endMark.0
    buffer[end + 1] = OrderedKey.endMark.1
  }

  /// Returns the object id at the end of a key that contains one; nil if the key is too short.
  @inlinable
  package static func objectID(atEndOf key: UnsafeRawBufferPointer) -> UInt64? {
    guard key.count > valueStart + 8, let base = key.baseAddress else { return nil }
    return base.bigEndianUInt64(at: key.count - 8)
  }

  /// Returns the object id in an entry's value, for a key without one; nil if it is missing.
  @inlinable
  package static func objectID(inValue value: UnsafeRawBufferPointer) -> UInt64? {
    guard value.count >= 8, let base = value.baseAddress else { return nil }
    return base.uint64(at: 0)
  }

  /// Encodes an entry's key.
  ///
  /// - Parameters:
  ///   - objectID: The id, if the key contains it.
  ///   - key: Replaced by the key.
  /// - Returns: Whether the value was cut.
  package static func encodeKey(
    _ value: Value, propertyType: PropertyType, indexID: UInt32, objectID: UInt64?,
    fileKey: FileKey, into key: inout OrderedKey
  ) -> Bool {
    begin(&key, indexID: indexID)
    let wasCut = key.append(value, propertyType: propertyType, fileKey: fileKey)
    if let objectID { key.append(uint64: objectID) }
    return wasCut
  }

  /// Encodes an entry: its key, and its value, which contains the object id if the key does not,
  /// and the whole string or data if the key was cut.
  ///
  /// - Parameters:
  ///   - isInKey: Whether the key contains the object's id.
  ///   - key: Replaced by the key.
  ///   - entry: Replaced by the value.
  package static func encode(
    _ value: Value, propertyType: PropertyType, indexID: UInt32, objectID: UInt64, isInKey: Bool,
    fileKey: FileKey, key: inout OrderedKey, entry: inout ByteBuffer
  ) {
    let wasCut = encodeKey(
      value, propertyType: propertyType, indexID: indexID, objectID: isInKey ? objectID : nil,
      fileKey: fileKey, into: &key)
    entry.removeAll()
    if !isInKey { entry.append(objectID) }
    guard wasCut else { return }
    switch value {
    case .string(let string): entry.append(utf8: string)
    case .data(let data): data.withUnsafeBytes { entry.append($0) }
    default: break
    }
  }
}
