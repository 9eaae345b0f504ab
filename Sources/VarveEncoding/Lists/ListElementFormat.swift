/// The storage of elements in the leaves of a list: packed with a fixed width, or variable.
@usableFromInline
package struct ListElementFormat: Hashable, Sendable {
  /// The byte in the node: 0 for variable, else the type, with bit 7 set if elements may be null.
  @usableFromInline package let rawValue: UInt8
  /// The number of bytes of a packed value; 0 for variable.
  @usableFromInline package let width: Int

  /// Elements are ``ElementCodec`` bytes.
  package static let variable = ListElementFormat(rawValue: 0, width: 0)

  private init(rawValue: UInt8, width: Int) {
    self.rawValue = rawValue
    self.width = width
  }

  /// Creates the format of a list with elements of this type.
  package init(type: PropertyType, isNullable: Bool) {
    guard let width = type.fixedWidth else {
      self = .variable
      return
    }
    self.init(rawValue: type.rawValue | (isNullable ? 0x80 : 0), width: width)
  }

  /// Creates the format of a list property; a list of links contains object ids, all of one class.
  package init(_ kind: PropertyKind) {
    self.init(type: kind.type, isNullable: kind.isNullable)
  }

  @inlinable
  package var isPacked: Bool { rawValue != 0 }

  /// Whether packed elements have a presence byte.
  @inlinable
  package var isNullable: Bool { rawValue & 0x80 != 0 }

  /// The type of packed elements; nil for variable.
  @usableFromInline package var type: PropertyType? { PropertyType(rawValue: rawValue & 0x7F) }

  /// The number of bytes of a packed element with its presence byte; 0 for variable.
  @inlinable
  package var stride: Int { width + (isNullable ? 1 : 0) }
}
