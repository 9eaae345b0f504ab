import VarveEncoding

/// The location of one property in the rows of one layout.
enum FieldLocation {
  /// The value is the id of the object.
  case objectID
  /// The layout does not contain the property: all its rows have this value.
  case constant(Value)
  case stored(RowField)

  // Inlined so that a leaf does not copy the property: all threads of a scan share its reference
  // counts.
  @inline(__always)
  init(_ property: StoredProperty, in layout: RowLayout) {
    if property.isPrimaryKey, property.kind.isIntegerKey {
      self = .objectID
    } else if let field = layout.field(forProperty: property.id) {
      self = .stored(field)
    } else {
      self = .constant(property.constant)
    }
  }
}

extension RowField {
  /// The byte of a row that contains the field's null bit. An arbitrary byte for a field that is
  /// never null.
  var nullByte: Int { nullBit < 0 ? 0 : Row.headerBytes + nullBit >> 3 }
  /// The mask of the null bit in that byte, or 0 for a field that is never null.
  var nullMask: UInt8 { nullBit < 0 ? 0 : 1 << UInt8(nullBit & 7) }
}
