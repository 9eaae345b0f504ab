/// A view of one element's bytes. See ``ElementCodec``.
///
/// The bytes belong to the caller and must outlive the reader.
@usableFromInline
package struct ElementReader {
  /// nil for null and for nested collections.
  @usableFromInline package let type: PropertyType?
  /// nil for all but nested collections.
  @usableFromInline package let nestedKind: CollectionKind?
  /// The blob that contains the string or data; nil if it is stored inline.
  @usableFromInline package let blob: BlobReference?
  /// The bytes after the tag, without the whole key; for a blob, its reference.
  @usableFromInline package let payload: UnsafeRawBufferPointer
  /// The whole key of the entry, if the key was cut.
  package let wholeKey: UnsafeRawBufferPointer?

  /// Checks tag and length.
  ///
  /// - Throws: `truncated`, `badTag`, `badLength`, or `unsupported` for reserved types.
  /// - Complexity: O(1).
  package init(validating bytes: UnsafeRawBufferPointer) throws(FormatError) {
    guard let tag = bytes.first else {
      throw FormatError(.truncated, "an element is empty", expected: 1, found: 0)
    }
    var end = bytes.count
    if tag & ElementCodec.wholeKeyBit != 0 {
      let key = try Self.wholeKey(bytes)
      wholeKey = UnsafeRawBufferPointer(rebasing: bytes[key])
      end = key.lowerBound
    } else {
      wholeKey = nil
    }
    payload = UnsafeRawBufferPointer(rebasing: bytes[1..<end])
    nestedKind = Self.nestedKind(tag)
    type = nestedKind == nil ? try Self.type(tag) : nil
    let isBlob = tag & ElementCodec.blobBit != 0
    let width =
      isBlob
      ? BlobReference.encodedBytes
      : nestedKind == nil ? Self.width(type) : CollectionSlot.byteCount
    if isBlob, type != .string && type != .data {
      throw FormatError(.badTag, "only strings and data are stored in blobs", found: UInt64(tag))
    }
    if let width, width != payload.count {
      throw FormatError(
        .badLength, "an element has another length than its type", expected: UInt64(width),
        found: UInt64(payload.count))
    }
    blob = isBlob ? payload.baseAddress.map { BlobReference(unchecked: $0) } : nil
  }

  /// Returns the range of the whole key.
  private static func wholeKey(
    _ bytes: UnsafeRawBufferPointer
  ) throws(FormatError) -> Range<Int> {
    guard bytes.count >= 5 else {
      throw FormatError(.truncated, "an element ends before its whole key")
    }
    let end = bytes.count - 4
    let length = bytes.uint32(at: end)
    guard Int(length) <= end - 1 else {
      throw FormatError(
        .badLength, "an element's whole key is longer than the element", offset: end,
        found: UInt64(length))
    }
    return end - Int(length)..<end
  }

  private static func nestedKind(_ tag: UInt8) -> CollectionKind? {
    switch tag & (ElementCodec.typeMask | 0x20) {
    case ElementCodec.nestedList: .list
    case ElementCodec.nestedDictionary: .dictionary
    default: nil
    }
  }

  private static func type(_ tag: UInt8) throws(FormatError) -> PropertyType? {
    let raw = tag & ElementCodec.typeMask
    if tag & 0x20 != 0 { throw FormatError(.badTag, "an element's tag", found: UInt64(tag)) }
    if raw == ElementCodec.null { return nil }
    if raw >= 0x1D {
      throw FormatError(.unsupported, "an element of a reserved type", found: UInt64(tag))
    }
    guard let type = PropertyType(rawValue: raw), type != .mixed else {
      throw FormatError(.badTag, "an element's tag", found: UInt64(tag))
    }
    return type
  }

  /// Returns the payload's length; nil for strings and data.
  private static func width(_ type: PropertyType?) -> Int? {
    switch type {
    case nil: 0
    case .link: 12
    case .some(let type): type.fixedWidth
    }
  }
}

extension ElementReader {
  /// Returns the integer of an element with an eight-byte integer, which needs no further checks;
  /// nil for any other element.
  @inlinable @inline(__always)
  package static func int64(of bytes: UnsafeRawBufferPointer) -> Int64? {
    guard bytes.count == 9, bytes[0] == PropertyType.int64.rawValue else { return nil }
    return Int64(bitPattern: bytes.loadUnaligned(fromByteOffset: 1, as: UInt64.self).littleEndian)
  }

  /// Returns the value, or the blob that contains it.
  ///
  /// - Throws: `badText` or `badValue`.
  package func value() throws(FormatError) -> StoredValue {
    if let nestedKind, let base = payload.baseAddress {
      return .value(.nested(nestedKind, CollectionSlot(unchecked: base)))
    }
    guard let type else { return .value(.null) }
    if let blob { return .blob(blob, type: type) }
    if type == .string || type == .data { return .value(try VariableValue.value(type, payload)) }
    guard let base = payload.baseAddress else {
      throw FormatError(.truncated, "an element has no payload")
    }
    if type == .link {
      return .value(.link(classID: base.uint32(at: 0), objectID: base.uint64(at: 4)))
    }
    return .value(try FixedValue.load(type, from: base, linkClass: 0))
  }
}
