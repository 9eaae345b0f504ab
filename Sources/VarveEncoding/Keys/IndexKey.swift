import Foundation

/// Entries of the table `indexes`: index id, ordered value, and the object id where the value alone
/// does not tell entries apart.
///
/// The object id stands in the key if the index is not unique, or if the value is null in a unique
/// index that is not the primary key's; otherwise it stands in the entry's value.
/// Byte layout: Docs/Format.md, "Keys of the tables".
@usableFromInline
package enum IndexKey {
  /// Where the value part begins.
  @usableFromInline package static let valueStart = 4

  /// Whether the key of an entry ends in the object id.
  @inlinable
  package static func holdsObjectID(isUnique: Bool, isPrimary: Bool, isNull: Bool) -> Bool {
    !isUnique || (isNull && !isPrimary)
  }

  /// Starts a key: all entries of an index begin so.
  @inlinable
  package static func begin(_ key: inout OrderedKey, indexID: UInt32) {
    key.removeAll(keepingCapacity: true)
    key.append(uint32: indexID)
  }

  /// The key of an entry that is found by its value alone, where that has a fixed width; nil for a
  /// string and for data.
  package static func short(indexID: UInt32, _ value: Value) -> ShortKey? {
    var key = ShortKey()
    key.append(uint32: indexID)
    return key.appendFixed(value) ? key : nil
  }

  /// The bytes of the key of a short string besides those of the string: the index's id, the presence and the end.
  package static let shortOverhead = valueStart + 3

  /// Whether a string stands in its key as it is: whole, and without a zero byte.
  package static func isShort(_ utf8: UnsafeRawBufferPointer) -> Bool {
    utf8.count <= OrderedKey.maximumValueBytes - 3 && !UTF8Text.hasZero(utf8)
  }

  /// Builds the key of an entry that is found by its string alone, in memory of the caller's.
  ///
  /// - Precondition: the string is short (``isShort(_:)``), and the buffer is longer than it by exactly
  ///   ``shortOverhead``.
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

  /// The object id at the end of a key that holds one; nil if the key is too short for that.
  @inlinable
  package static func objectID(atEndOf key: UnsafeRawBufferPointer) -> UInt64? {
    guard key.count > valueStart + 8, let base = key.baseAddress else { return nil }
    return base.bigEndianUInt64(at: key.count - 8)
  }

  /// The object id in an entry's value, where the key does not hold it; nil if it is not there.
  @inlinable
  package static func objectID(inValue value: UnsafeRawBufferPointer) -> UInt64? {
    guard value.count >= 8, let base = value.baseAddress else { return nil }
    return base.uint64(at: 0)
  }

  /// Builds an entry's key.
  ///
  /// - Parameters:
  ///   - value: the indexed value.
  ///   - propertyType: the type of the indexed property.
  ///   - indexID: the index.
  ///   - objectID: the id, if the key holds it.
  ///   - fileKey: of the file.
  ///   - key: gets the bytes in place of what it had.
  /// - Returns: whether the value was cut.
  package static func encodeKey(
    _ value: Value, propertyType: PropertyType, indexID: UInt32, objectID: UInt64?,
    fileKey: FileKey, into key: inout OrderedKey
  ) -> Bool {
    begin(&key, indexID: indexID)
    let wasCut = key.append(value, propertyType: propertyType, fileKey: fileKey)
    if let objectID { key.append(uint64: objectID) }
    return wasCut
  }

  /// Builds an entry: its key, and its value, which holds the object id if the key does not, and the
  /// whole string or data if the key was cut.
  ///
  /// - Parameters:
  ///   - value: the indexed value.
  ///   - propertyType: the type of the indexed property.
  ///   - indexID: the index.
  ///   - objectID: the object.
  ///   - isInKey: whether the key holds the object's id.
  ///   - fileKey: of the file.
  ///   - key: gets the key in place of what it had.
  ///   - entry: gets the value in place of what it had.
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
