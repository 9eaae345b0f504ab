import Foundation
package import VarveEncoding
import VarveStorage

/// Appending to data, at the cost of what is appended.
extension FileEditor {
  /// Appends bytes to a property of the type data.
  ///
  /// Null becomes the appended bytes. Appending no bytes is recorded like setting a property to its
  /// current value.
  ///
  /// - Throws: The errors of ``set(_:_:_:_:)``, among them `.valueTooLarge`.
  /// - Complexity: O(appended bytes) for a blob, of which at most ``BlobShape/maximumMerged`` bytes
  ///   are written again; O(bytes) in a class with compound indexes, and for a property with an index.
  package func append(
    _ bytes: UnsafeRawBufferPointer, _ schema: ClassSchema, _ id: UInt64,
    _ property: StoredProperty
  ) throws(Failure) {
    guard property.kind.type == .data, property.kind.collection == .none else {
      throw Failure(
        .typeMismatch, "Bytes can be appended to data only.", className: schema.name,
        propertyName: schema.declaredName(of: property))
    }
    guard let row = try editedRow(schema, id),
      let field = schema.currentLayout.field(forProperty: property.id)
    else { throw .invalidatedObject(schema.name, schema.declaredName(of: property)) }
    let old = try format { () throws(FormatError) in try row.buffer.reader.value(field) }
    if bytes.isEmpty, old != .value(.null) { return try noteSet(row, property, isEqual: true) }
    // The entries of indexes contain the whole value.
    guard case .blob(let blob, _) = old, property.indexID == 0, schema.indexes.isEmpty else {
      var data = Data()
      if case .data(let stored) = try storage.resolve(old, property: property) { data = stored }
      try checkCount(data.count, bytes, property, schema)
      data.append(contentsOf: bytes)
      return try set(schema, id, property, .data(data))
    }
    try Blob.check(blob)
    try checkCount(Int(blob.byteCount), bytes, property, schema)
    row.buffer.setBlob(try append(bytes, to: blob), field)
    try noteSet(row, property, isEqual: false)
  }

  private func checkCount(
    _ count: Int, _ bytes: UnsafeRawBufferPointer, _ property: StoredProperty,
    _ schema: ClassSchema
  ) throws(Failure) {
    guard bytes.count <= Blob.maximumBytes - count else {
      throw Failure(
        .valueTooLarge, "A value is larger than 1 GiB.", className: schema.name,
        propertyName: schema.declaredName(of: property), value: "\(count) + \(bytes.count) bytes")
    }
  }
}
