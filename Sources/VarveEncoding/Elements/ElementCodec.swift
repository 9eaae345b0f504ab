import Foundation

/// Writes values of any type as bytes that say their type: mixed values, elements of variable lists,
/// values of dictionaries and sets. They are read by ``ElementReader``.
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

  @inlinable
  package static func appendNull(to buffer: inout ByteBuffer) { buffer.append(null) }

  @inlinable
  package static func append(int value: Int64, to buffer: inout ByteBuffer) {
    buffer.append(PropertyType.int64.rawValue)
    buffer.append(UInt64(bitPattern: value))
  }

  @inlinable
  package static func append(double value: Double, to buffer: inout ByteBuffer) {
    buffer.append(PropertyType.double.rawValue)
    buffer.append(value.bitPattern)
  }

  @inlinable
  package static func append(string value: String, to buffer: inout ByteBuffer) {
    buffer.append(PropertyType.string.rawValue)
    buffer.append(utf8: value)
  }

  /// Appends a string given as UTF-8 bytes, or data; the type is `string` or `data`.
  @inlinable
  package static func append(
    bytes: UnsafeRawBufferPointer, type: PropertyType, to buffer: inout ByteBuffer
  ) {
    buffer.append(type.rawValue)
    buffer.append(bytes)
  }

  /// Appends a string or data that stands in a blob; the type is `string` or `data`.
  @inlinable
  package static func append(
    blob: BlobReference, type: PropertyType, to buffer: inout ByteBuffer
  ) {
    buffer.append(type.rawValue | blobBit)
    buffer.append(blob.id)
    buffer.append(blob.byteCount)
  }

  @inlinable
  package static func append(
    linkTo objectID: UInt64, classID: UInt32, to buffer: inout ByteBuffer
  ) {
    buffer.append(PropertyType.link.rawValue)
    buffer.append(classID)
    buffer.append(objectID)
  }

  /// Appends a value with its own type; an integer takes 8 bytes.
  package static func append(_ value: Value, to buffer: inout ByteBuffer) {
    switch value {
    case .null: appendNull(to: &buffer)
    case .bool(let value):
      buffer.append(PropertyType.bool.rawValue)
      buffer.append(value ? 1 : 0 as UInt8)
    case .int(let value): append(int: value, to: &buffer)
    case .float(let value):
      buffer.append(PropertyType.float.rawValue)
      buffer.append(value.bitPattern)
    case .double(let value): append(double: value, to: &buffer)
    case .string(let value): append(string: value, to: &buffer)
    case .data(let value):
      value.withUnsafeBytes { append(bytes: $0, type: .data, to: &buffer) }
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
      append(linkTo: objectID, classID: classID, to: &buffer)
    case .nested(let kind, let slot):
      buffer.append(nestedTag(kind))
      buffer.append(slot.id)
      buffer.append(slot.revision)
      buffer.append(slot.count)
    }
  }

  /// The tag of a nested collection.
  private static func nestedTag(_ kind: CollectionKind) -> UInt8 {
    kind == .dictionary ? nestedDictionary : nestedList
  }

  /// Ends an element that stands alone in `buffer` with the whole key of its entry, which was cut.
  ///
  /// - Precondition: `buffer` holds one element and nothing else.
  package static func appendWholeKey(
    _ key: UnsafeRawBufferPointer, to buffer: inout ByteBuffer
  ) {
    buffer.bytes[0] |= wholeKeyBit
    buffer.append(key)
    buffer.append(UInt32(truncatingIfNeeded: key.count))
  }

  /// Reads an element: the value, or the blob that holds it.
  ///
  /// - Throws: `FormatError` for any bytes that no writer writes.
  package static func decode(
    _ bytes: UnsafeRawBufferPointer
  ) throws(FormatError) -> StoredValue {
    try ElementReader(validating: bytes).value()
  }
}
