import Foundation
package import VarveEncoding

/// Conversion of collection elements between their stored form and values.
extension StoredProperty {
  /// Whether removing an element may have to release data outside the collection: a backlink or a
  /// blob.
  var elementsNeedRelease: Bool {
    switch kind.type {
    case .link, .string, .data, .mixed: true
    default: false
    }
  }

  /// Returns the bits of an element of a packed list, or nil for null and for other formats.
  func bits(of element: Value) -> UInt64? {
    guard ListElementFormat(kind).storesBits, !kind.isNullable || kind.type == .link else {
      return nil
    }
    return element.elementBits
  }

  /// Returns the value of packed bits; nil is null.
  package func elementValue(bits: UInt64?) -> Value {
    guard let bits else { return .null }
    return kind.type.value(bits: bits, linkClass: linkedClassID)
  }
}

extension StoredProperty {
  /// Returns an element of a list in its stored form, or null if it is damaged.
  func stored(_ list: ListDirectory, at index: Int) -> StoredValue {
    if list.format.storesBits { return .value(elementValue(bits: list.bits(at: index))) }
    guard let bytes = list.bytes(at: index), let stored = try? storedElement(bytes) else {
      return .value(.null)
    }
    return stored
  }

  /// Returns the value of an element's bytes as stored in a list.
  package func storedElement(_ bytes: UnsafeRawBufferPointer) throws(FormatError) -> StoredValue {
    let format = ListElementFormat(kind)
    guard format.isPacked else { return try ElementReader(validating: bytes).value() }
    guard bytes.count == format.width, let base = bytes.baseAddress else {
      throw FormatError(.badLength, "a packed element's width differs from the width of its type")
    }
    return .value(try FixedValue.load(kind.type, from: base, linkClass: linkedClassID))
  }
}

extension ListElementFormat {
  /// Whether elements are packed in at most eight bytes.
  package var storesBits: Bool { isPacked && width <= 8 }
}

extension Value {
  /// Returns the bytes of a value as stored in a packed list.
  func packedBytes(_ type: PropertyType) -> [UInt8] {
    switch self {
    case .uuid(let value): return withUnsafeBytes(of: value.uuid) { Array($0) }
    case .objectId(let value): return value.bytes
    case .decimal(let value): return withUnsafeBytes(of: value.littleEndian) { Array($0) }
    default:
      let bits = elementBits ?? 0
      return (0..<(type.fixedWidth ?? 8)).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
    }
  }
}

extension PropertyType {
  /// Returns the value of the bits of a packed element of at most eight bytes.
  func value(bits: UInt64, linkClass: UInt32) -> Value {
    switch self {
    case .bool: .bool(bits & 1 != 0)
    case .int8: .int(Int64(Int8(truncatingIfNeeded: bits)))
    case .int16: .int(Int64(Int16(truncatingIfNeeded: bits)))
    case .int32: .int(Int64(Int32(truncatingIfNeeded: bits)))
    case .int64: .int(Int64(bitPattern: bits))
    case .float: .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case .double: .double(Double(bitPattern: bits))
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
    case .link: .link(classID: linkClass, objectID: bits)
    default: .null
    }
  }
}
