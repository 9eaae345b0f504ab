import Foundation

/// Entries of the table `indexes` for indexes of a class: the value parts of several properties in
/// sequence.
///
/// Byte layout: Docs/Format.md, "Indexes of classes".
package enum CompoundKey {
  /// Encodes an entry: its key, and its value.
  ///
  /// - Parameters:
  ///   - parts: The values of the properties, with their types.
  ///   - isUnique: Whether the index rejects duplicate values; values with a null may occur several
  ///     times.
  ///   - key: Replaced by the key.
  ///   - entry: Replaced by the value.
  /// - Returns: Whether the key contains the object's id; otherwise the value contains it, and the
  ///   key occurs once.
  @discardableResult
  package static func encode(
    _ parts: [(value: Value, type: PropertyType)], indexID: UInt32, objectID: UInt64,
    isUnique: Bool, fileKey: FileKey, key: inout OrderedKey, entry: inout ByteBuffer
  ) -> Bool {
    let isInKey = IndexKey.containsObjectID(
      isUnique: isUnique, isPrimary: false, isNull: parts.contains { $0.value.isNull })
    if parts.count == 1 {
      IndexKey.encode(
        parts[0].value, propertyType: parts[0].type, indexID: indexID, objectID: objectID,
        isInKey: isInKey, fileKey: fileKey, key: &key, entry: &entry)
      return isInKey
    }
    IndexKey.begin(&key, indexID: indexID)
    for part in parts { key.appendWholePart(part.value, propertyType: part.type, fileKey: fileKey) }
    entry.removeAll()
    if !isInKey { entry.append(objectID) }
    let start = IndexKey.valueStart
    if key.count - start > OrderedKey.maximumValueBytes {
      key.bytes[start...].withUnsafeBytes { entry.append($0) }
      _ = key.cut(valueStart: start, fileKey: fileKey)
    }
    if isInKey { key.append(uint64: objectID) }
    return isInKey
  }
}

extension OrderedKey {
  /// Appends a value part that is never cut.
  package mutating func appendWholePart(
    _ value: Value, propertyType: PropertyType, fileKey: FileKey
  ) {
    let isMixed = propertyType == .mixed
    switch value {
    case .string(var text):
      append(byte: isMixed ? KeyRank.string : Self.present)
      text.withUTF8 { appendTerminated(UnsafeRawBufferPointer($0)) }
    case .data(let data):
      append(byte: isMixed ? KeyRank.data : Self.present)
      data.withUnsafeBytes { appendTerminated($0) }
    default:
      _ = append(value, propertyType: propertyType, fileKey: fileKey)
    }
  }
}
