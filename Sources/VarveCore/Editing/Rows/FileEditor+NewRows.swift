package import Foundation
package import VarveEncoding
import VarveStorage

/// New rows, filled by a template.
extension FileEditor {
  /// Returns the template for rows of new objects of a class. Registers the class if the file lacks
  /// it.
  ///
  /// - Returns: The template, valid until the schema changes.
  @inline(__always)
  package func rowTemplate(
    for model: Unmanaged<ClassDescription>
  ) throws(Failure) -> UnsafePointer<RowTemplate> {
    if let last = classes.lastTemplate, last.pointee.isOf(model) { return last }
    return try newTemplate(for: model.takeUnretainedValue())
  }

  private func newTemplate(
    for model: ClassDescription
  ) throws(Failure) -> UnsafePointer<RowTemplate> {
    guard let template = try binding(for: model).template else {
      throw Failure(.invalidSchema, "The class is not in the file.", className: model.name)
    }
    classes.lastTemplate = template
    return template
  }

  /// Returns the id of an object that is about to be stored under an integer primary key.
  ///
  /// - Throws: `.duplicatePrimaryKey` when another object has the key.
  package func newObjectID(
    _ template: UnsafePointer<RowTemplate>, integerKey key: Int64
  ) throws(Failure) -> UInt64 {
    let id = ObjectKey.objectID(forInteger: key)
    if _fastPath(highestObjectIDs.isAfter(id, template.pointee.classID)) { return id }
    return try newObjectID(template.pointee.schema.takeUnretainedValue(), primaryKey: .int(key))
  }

  /// Returns the id of an object that is about to be stored without an integer primary key. See
  /// ``newObjectID(_:primaryKey:)``.
  package func newObjectID(
    _ template: UnsafePointer<RowTemplate>, key: Value?
  ) throws(Failure) -> UInt64 {
    key == nil
      ? nextObjectID()
      : try newObjectID(template.pointee.schema.takeUnretainedValue(), primaryKey: key)
  }

  package func beginRow(_ template: UnsafePointer<RowTemplate>) {
    template.pointee.schema._withUnsafeGuaranteedRef {
      scratchRow.begin(layout: $0.currentLayout)
    }
  }

  // Filling one property of the new row with a value of its own type.

  package func fill(_ field: UnsafePointer<RowTemplate.Field>, _ value: Int64) {
    scratchRow.setInt64(value, field.pointee.field)
  }

  package func fill(_ field: UnsafePointer<RowTemplate.Field>, _ value: Double) {
    scratchRow.setDouble(value, field.pointee.field)
  }

  package func fill(_ field: UnsafePointer<RowTemplate.Field>, _ value: Date) {
    scratchRow.setDate(value, field.pointee.field)
  }

  package func fill(_ field: UnsafePointer<RowTemplate.Field>, _ value: Bool) {
    scratchRow.setBool(value, field.pointee.field)
  }

  /// - Returns: false, without filling the property, for an integer that is out of the property's
  ///   range.
  package func tryFill(
    _ field: UnsafePointer<RowTemplate.Field>, narrow value: Int64
  ) -> Bool {
    let unused = 64 - 8 * field.pointee.field.width
    guard (value << unused) >> unused == value else { return false }
    scratchRow.setInt64(value, field.pointee.field)
    return true
  }

  /// - Returns: false, without filling the property, for a string that is too long for a row.
  package func tryFill(_ field: UnsafePointer<RowTemplate.Field>, _ value: String) -> Bool {
    guard value.utf8.count <= Row.maximumInlineBytes else { return false }
    scratchRow.setString(value, field.pointee.field)
    return true
  }

  /// Fills one property of the new row with any value, and adds its index entry and its backlink.
  ///
  /// - Throws: `.typeMismatch` or `.missingValue` when the value is not valid for the property.
  package func fill(
    _ field: UnsafePointer<RowTemplate.Field>, _ value: Value, object id: UInt64,
    _ template: UnsafePointer<RowTemplate>
  ) throws(Failure) {
    try fill(field.pointee, value, object: id, in: template.pointee.schema.takeUnretainedValue())
  }

  /// Stores the new row. See ``insertRow(_:_:)``.
  package func insertRow(
    _ template: UnsafePointer<RowTemplate>, _ id: UInt64
  ) throws(Failure) {
    guard !template.pointee.hasClassIndexes, highestObjectIDs.isAfter(id, template.pointee.classID),
      _fastPath(!hasLeftEngine)
    else { return try insertRow(template.pointee.schema.takeUnretainedValue(), id) }
    let bytes = scratchRow.finish(classID: template.pointee.classID, objectID: id)
    try Failure.translating(try storage.append(template.pointee.table, id: id, bytes))
    highestObjectIDs.note(id, template.pointee.classID)
  }
}
