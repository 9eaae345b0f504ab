package import VarveEncoding

/// The facts that reads of a collection's elements need, without references to count.
package struct ElementTraits: Sendable {
  let kind: PropertyKind
  let linkedClassID: UInt32
  /// The id of the stored property; an unused id while the property is not in the file.
  let propertyID: UInt32
  let format: ListElementFormat
  /// Whether elements are packed in at most eight bytes.
  package let storesBits: Bool

  /// `property`: The stored property, or nil while it is not in the file.
  init(_ model: PropertyDescription, _ property: StoredProperty?) {
    kind = model.kind
    linkedClassID = property?.linkedClassID ?? 0
    propertyID = property?.id ?? .max
    format = ListElementFormat(model.kind)
    storesBits = format.storesBits
  }

  package var type: PropertyType { kind.type }

  /// Whether elements may be objects, whose handles need a context.
  package var mayLink: Bool { kind.type.mayLink }

  /// Whether elements are mixed values.
  package var isMixed: Bool { kind.type == .mixed }

  /// Returns the value of packed bits; nil bits are null.
  @inline(__always)
  package func value(bits: UInt64?) -> Value {
    guard let bits else { return .null }
    return kind.type.value(bits: bits, linkClass: linkedClassID)
  }

  /// Returns the bits of a value that is stored packed and needs no check other than of its type;
  /// nil for other values.
  @inline(__always)
  package func bits(of value: Value) -> UInt64? {
    switch (kind.type, value) {
    case (.int64, .int(let value)): UInt64(bitPattern: value)
    case (.double, .double), (.float, .float), (.bool, .bool), (.date, .date): value.elementBits
    default: nil
    }
  }
}
