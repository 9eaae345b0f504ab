/// Keys of the table `catalog`.
package enum CatalogKey: Hashable, Sendable {
  /// The record of a class.
  case classRecord(id: UInt32)
  /// The greatest primary key of the deleted objects of a class: a ``LastKeyRecord``.
  case lastKey(classID: UInt32)
  /// The generation of the schema with which a model was found compatible.
  case model(SchemaHash)

  private static let classTag = UInt8(ascii: "c")
  private static let lastKeyTag = UInt8(ascii: "k")
  private static let modelTag = UInt8(ascii: "h")

  package func encode(into key: inout OrderedKey) {
    key.removeAll(keepingCapacity: true)
    switch self {
    case .classRecord(let id):
      key.append(byte: Self.classTag)
      key.append(uint32: id)
    case .lastKey(let classID):
      key.append(byte: Self.lastKeyTag)
      key.append(uint32: classID)
    case .model(let hash):
      key.append(byte: Self.modelTag)
      for byte in hash.value.bytes { key.append(byte: byte) }
    }
  }

  /// Starts a key with the common prefix of the generations of all models.
  package static func beginModels(_ key: inout OrderedKey) {
    key.removeAll(keepingCapacity: true)
    key.append(byte: modelTag)
  }

  package init(decoding key: UnsafeRawBufferPointer) throws(FormatError) {
    var reader = ByteReader(key)
    switch try reader.uint8() {
    case Self.classTag: self = .classRecord(id: try reader.uint32().byteSwapped)
    case Self.lastKeyTag: self = .lastKey(classID: try reader.uint32().byteSwapped)
    case Self.modelTag:
      self = .model(SchemaHash(value: try Hash128(decoding: try reader.slice(16))))
    case let found:
      throw FormatError(.badTag, "the first byte of a catalog key", found: UInt64(found))
    }
    try reader.finish()
  }
}
