import VarveEncoding

/// Where the rows of one layout keep one property.
///
/// Thread safety: an immutable value.
enum FieldLocation {
  /// The id of the object is the value.
  case objectID
  /// The layout lacks the property: all its rows read this.
  case constant(Value)
  case stored(RowField)

  // Inlined, so that no leaf costs a copy of the property: its references are counted by all threads of a scan.
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
  /// The byte of a row that has the field's null bit; some byte for one that is never null.
  var nullByte: Int { nullBit < 0 ? 0 : Row.headerBytes + nullBit >> 3 }
  /// The null bit in that byte; none for a field that is never null.
  var nullMask: UInt8 { nullBit < 0 ? 0 : 1 << UInt8(nullBit & 7) }
}
