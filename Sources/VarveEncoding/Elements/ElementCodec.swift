import Foundation

/// Encodes values of any type with a type tag: mixed values, elements of variable lists, values of
/// dictionaries and sets. ``ElementReader`` decodes them.
///
/// Byte layout: Docs/Format.md, "Elements".
@usableFromInline
package enum ElementCodec {
  /// Longer strings and data are stored as blobs.
  package static let maximumInlineBytes = 512

  /// The low bits of the tag: the type.
  @usableFromInline static let typeMask: UInt8 = 0x1F
  /// The payload is a blob reference.
  @usableFromInline package static let blobBit: UInt8 = 0x40
  /// The whole key follows the payload, then its length.
  @usableFromInline static let wholeKeyBit: UInt8 = 0x80
  /// The tag of null.
  @usableFromInline static let null: UInt8 = 0
  /// The tags of nested collections.
  static let nestedList: UInt8 = 0x1E
  static let nestedDictionary: UInt8 = 0x1F

  /// Appends a reference to a string or data stored in a blob; the type is `string` or `data`.
  @inlinable
  package static func append(
    blob: BlobReference, type: PropertyType, to buffer: inout ByteBuffer
  ) {
    buffer.append(type.rawValue | blobBit)
    buffer.append(blob.id)
    buffer.append(blob.byteCount)
    buffer.append(blob.checksum)
  }

  /// Appends a value with its own type; an integer takes 8 bytes.
  package static func append(_ value: Value, to buffer: inout ByteBuffer) {
    switch value {
    case .null: buffer.append(null)
    case .bool(let value):
      buffer.append(PropertyType.bool.rawValue)
      buffer.append(value ? 1 : 0 as UInt8)
    case .int(let value):
      buffer.append(PropertyType.int64.rawValue)
      buffer.append(UInt64(bitPattern: value))
    case .float(let value):
      buffer.append(PropertyType.float.rawValue)
      buffer.append(value.bitPattern)
    case .double(let value):
      buffer.append(PropertyType.double.rawValue)
      buffer.append(value.bitPattern)
    case .string(let value):
      buffer.append(PropertyType.string.rawValue)
      buffer.append(utf8: value)
    case .data(let value):
      buffer.append(PropertyType.data.rawValue)
      value.withUnsafeBytes { buffer.append($0) }
    case .date(let value):
      buffer.append(PropertyType.date.rawValue)
      buffer.append(value.bits)
    case .uuid(let value):
      buffer.append(PropertyType.uuid.rawValue)
      withUnsafeBytes(of: value.uuid) { buffer.append($0) }
    case .objectId(let value):
      buffer.append(PropertyType.objectId.rawValue)
      buffer.append(value.high.byteSwapped)
      buffer.append(value.low.byteSwapped)
    case .decimal(let value):
      buffer.append(PropertyType.decimal128.rawValue)
      buffer.append(value.low)
      buffer.append(value.high)
    case .link(let classID, let objectID):
      buffer.append(PropertyType.link.rawValue)
      buffer.append(classID)
      buffer.append(objectID)
    case .nested(let kind, let slot):
      buffer.append(kind == .dictionary ? nestedDictionary : nestedList)
      buffer.append(slot.id)
      buffer.append(slot.revision)
      buffer.append(slot.count)
    }
  }

  /// Whether an element may be stored in a row as part of a collection: it does not refer to a blob
  /// or a nested collection.
  package static func mayBeInline(_ element: UnsafeRawBufferPointer) -> Bool {
    guard let tag = element.first else { return false }
    return tag & blobBit == 0 && tag & typeMask < nestedList
  }

  /// Appends the whole key of an entry to its element, because the key was cut.
  ///
  /// - Precondition: `buffer` contains exactly one element.
  package static func appendWholeKey(
    _ key: UnsafeRawBufferPointer, to buffer: inout ByteBuffer
  ) {
    buffer.bytes[0] |= wholeKeyBit
    buffer.append(key)
    buffer.append(UInt32(truncatingIfNeeded: key.count))
  }
}
