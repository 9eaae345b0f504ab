import VarveEncoding

/// The layout of packed elements of at most 8 bytes in a leaf, for reading them as raw bits:
/// integers are sign-extended, other values are zero-extended.
///
/// A type of this module that inlined code can use, so that a read of an element is a few
/// instructions in whichever module it is made.
@usableFromInline
package struct PackedShape: Sendable {
  /// The number of bytes of a value.
  @usableFromInline let width: Int
  /// The distance from one element to the next.
  @usableFromInline let stride: Int
  /// The offset of the first element in a node.
  @usableFromInline let first: Int
  @usableFromInline let isNullable: Bool
  @usableFromInline let isFloat: Bool

  init(_ format: ListElementFormat) {
    width = format.width
    stride = format.stride
    first = ListNode.headerBytes
    isNullable = format.isNullable
    isFloat = format.type == .float
  }

  /// Loads a value.
  ///
  /// - Returns: The bits; nil if the value is longer than 8 bytes.
  @inlinable @inline(__always)
  package func load(_ value: UnsafeRawPointer) -> UInt64? {
    switch width {
    case 8: return UInt64(littleEndian: value.loadUnaligned(as: UInt64.self))
    case 4:
      let bits = UInt32(littleEndian: value.loadUnaligned(as: UInt32.self))
      return isFloat ? UInt64(bits) : UInt64(bitPattern: Int64(Int32(bitPattern: bits)))
    case 2:
      let bits = UInt16(littleEndian: value.loadUnaligned(as: UInt16.self))
      return UInt64(bitPattern: Int64(Int16(bitPattern: bits)))
    case 1: return UInt64(bitPattern: Int64(value.load(as: Int8.self)))
    default: return nil
    }
  }

  /// Returns the bits of an element of a validated packed leaf.
  ///
  /// - Parameters:
  ///   - elements: The address of the first element of the leaf.
  ///   - offset: An index less than the leaf's count.
  /// - Returns: The bits; nil for null and for values longer than 8 bytes.
  @inlinable @inline(__always)
  package func bits(_ elements: UnsafeRawPointer, at offset: Int) -> UInt64? {
    let value = elements + offset &* stride
    if !isNullable { return load(value) }
    return value.load(as: UInt8.self) == 0 ? nil : load(value + 1)
  }
}

extension ListLeaf {
  /// Returns the bits of an element of at most 8 bytes.
  ///
  /// - Parameters:
  ///   - index: The index of the element.
  ///   - shape: The shape of the leaf's format.
  /// - Returns: The bits; nil for null, and in a variable leaf.
  /// - Precondition: `index` is in range.
  func bits(at index: Int, _ shape: PackedShape) -> UInt64? {
    guard shape.stride > 0, let value = try? bytes(at: index).baseAddress else { return nil }
    if shape.isNullable, isNull(at: index) { return nil }
    return shape.load(value)
  }

  /// Returns the bytes of an element of any format.
  ///
  /// - Returns: The bytes; nil for a fixed-width null, and for damaged bytes.
  /// - Precondition: `index` is in range.
  func element(at index: Int) -> UnsafeRawBufferPointer? {
    guard let bytes = try? bytes(at: index) else { return nil }
    if format.isPacked, format.isNullable, isNull(at: index) { return nil }
    return bytes
  }

  /// The address of the first element of a packed leaf; nil for a variable or empty one.
  var packedAddress: UnsafeRawPointer? { format.isPacked && count > 0 ? start : nil }
}
