package import VarveEncoding

/// What reads of a collection's elements need to know, without references to count.
package struct ElementTraits: Sendable {
  let kind: PropertyKind
  let linkedClassID: UInt32
  /// The stored property; one that no property has while the file does not know it.
  let propertyID: UInt32
  let format: ListElementFormat
  /// Whether elements are packed in at most eight bytes.
  package let holdsBits: Bool

  /// `property`: the stored property; nil while the file does not know it.
  init(_ model: PropertyDescription, _ property: StoredProperty?) {
    kind = model.kind
    linkedClassID = property?.linkedClassID ?? 0
    propertyID = property?.id ?? .max
    format = ListElementFormat(model.kind)
    holdsBits = format.holdsBits
  }

  /// Whether elements may be objects, which need a context to be made of.
  package var mayLink: Bool { kind.type.mayLink }

  /// Whether elements are mixed values.
  package var isMixed: Bool { kind.type == .mixed }

  /// The value behind packed bits; nil bits are null.
  @inline(__always)
  package func value(bits: UInt64?) -> Value {
    guard let bits else { return .null }
    return kind.type.value(bits: bits, linkClass: linkedClassID)
  }

  /// The bits of a value that is stored packed and needs no more checks than its type; nil for others.
  @inline(__always)
  package func bits(of value: Value) -> UInt64? {
    switch (kind.type, value) {
    case (.int64, .int(let value)): UInt64(bitPattern: value)
    case (.double, .double), (.float, .float), (.bool, .bool), (.date, .date): value.elementBits
    default: nil
    }
  }
}
