import VarveCore
import VarveEncoding

extension RowReader {
  /// Returns the stored value of a property that is a long string or data; nil for others.
  ///
  /// - Throws: `.corrupted`.
  func blob(of property: StoredProperty) throws(Failure) -> StoredValue? {
    guard property.kind.isVariable, let field = layout.field(forProperty: property.id),
      field.isStored
    else { return nil }
    let stored = try Failure.decoding(
      "A row is damaged.", propertyName: property.name, try value(field))
    guard case .blob = stored else { return nil }
    return stored
  }

  /// Whether a property is a long string or data that a property of another row refers to as well,
  /// in another version of the file, or in a copy of it.
  ///
  /// - Throws: `.corrupted`.
  func hasBlob(
    of property: StoredProperty, sharedWith other: RowReader, _ otherProperty: StoredProperty
  ) throws(Failure) -> Bool {
    guard case .blob(let reference, let type)? = try blob(of: property),
      case .blob(let otherReference, let otherType)? = try other.blob(of: otherProperty)
    else { return false }
    return reference == otherReference && type == otherType
  }
}
