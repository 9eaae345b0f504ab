extension ObjectReference {
  /// Refers to the object of a cell.
  ///
  /// - Returns: nil for an unmanaged object.
  package convenience init?(_ cell: borrowing RowCell) {
    guard let context = cell.context, let schema = cell.binding.schema else { return nil }
    self.init(cell.id, of: schema, in: context.store, context.token)
  }
}
