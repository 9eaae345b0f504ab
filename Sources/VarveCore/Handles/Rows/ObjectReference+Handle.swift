extension ObjectReference {
  /// Creates a reference to the object of a handle.
  ///
  /// - Returns: Nil for an unmanaged object.
  package convenience init?(_ handle: borrowing RowHandle) {
    guard let context = handle.context, let schema = handle.binding.schema else { return nil }
    self.init(handle.id, of: schema, in: context.store, context.outcome)
  }
}
