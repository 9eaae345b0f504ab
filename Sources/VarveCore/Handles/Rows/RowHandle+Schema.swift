import VarveEncoding

extension RowHandle {
  /// Returns the current stored class and property of a property slot.
  ///
  /// A handle keeps the binding that it was attached with. Since then the property may have been
  /// added to the file, or rows of a newer layout may exist; reads outside the hot path therefore
  /// call this method.
  ///
  /// - Returns: Nil while the property is not in the file.
  func stored(
    _ slot: Int, _ context: ReadContext
  ) -> (schema: ClassSchema, property: StoredProperty)? {
    let current = context.binding(for: binding.model)
    guard let schema = current.schema, let property = current.properties[slot] else { return nil }
    return (schema, property)
  }
}
