import Foundation

/// Entries of the table `indexes` of a class's own indexes: the value parts of several properties one after
/// another.
///
/// Byte layout: Docs/Format.md, "Indexes of classes".
package enum CompoundKey {
  /// Builds an entry: its key, and its value.
  ///
  /// - Parameters:
  ///   - parts: the values of the properties, with their types.
  ///   - indexID: the index.
  ///   - objectID: the object.
  ///   - isUnique: whether the index allows values once; those with a null it allows several times.
  ///   - fileKey: of the file.
  ///   - key: gets the key in place of what it had.
  ///   - entry: gets the value in place of what it had.
  /// - Returns: whether the key holds the object's id; else the value does, and the key is there once.
  @discardableResult
  package static func encode(
    _ parts: [(value: Value, type: PropertyType)], indexID: UInt32, objectID: UInt64,
    isUnique: Bool, fileKey: FileKey, key: inout OrderedKey, entry: inout ByteBuffer
  ) -> Bool {
    let isInKey = IndexKey.holdsObjectID(
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
