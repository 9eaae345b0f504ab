import VarveEncoding

extension RowHandle {
  /// The stored class and property behind a slot, as they are known now.
  ///
  /// A handle keeps the binding that it was tied with. Since then the file may have learnt the property,
  /// or got rows of a newer layout: whoever leaves the hot path asks here.
  ///
  /// - Returns: nil while the file does not know the property.
  func stored(
    _ slot: Int, _ context: ReadContext
  ) -> (schema: ClassSchema, property: StoredProperty)? {
    let current = context.binding(for: binding.model)
    guard let schema = current.schema, let property = current.properties[slot] else { return nil }
    return (schema, property)
  }
}
