import VarveEncoding
import VarveStorage

extension TableReader {
  /// The text that identifies an object in reports: its primary key, or “number” and its id if the
  /// class has no key, or the key cannot be read.
  ///
  /// - Parameter row: The bytes of the object's row; nil if they are unknown.
  func keyText(_ schema: ClassSchema, _ id: UInt64, row: UnsafeRawBufferPointer?) -> String {
    if schema.hasIntegerPrimaryKey { return "\(ObjectKey.integer(forObjectID: id))" }
    guard let property = schema.primaryKey, let bytes = row ?? find(schema.table, id: id),
      let row = try? schema.reader(for: bytes), (try? row.verifyExtents()) != nil,
      let value = try? value(of: row, id, property)
    else { return "number \(id)" }
    return value.text
  }
}
