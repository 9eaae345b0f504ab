extension CollectionIdentity {
  package init(_ cell: CollectionCell) {
    self.init(
      cell.owner.binding.model, slot: cell.slot, ownerID: cell.owner.id, nested: cell.nested,
      cell.context?.token)
  }
}

extension CollectionCell {
  /// A handle of a collection in a view or version.
  package convenience init(_ identity: CollectionIdentity, in context: ReadContext) {
    self.init(
      context: context, binding: context.lasting(context.binding(for: identity.model)),
      ownerID: identity.ownerID, slot: identity.slot, nested: identity.nested)
  }
}

extension RowCell {
  /// A handle of an object in a view or version.
  init(_ id: UInt64, of model: ClassDescription, in context: ReadContext) {
    self.init()
    tie(to: context, binding: context.lasting(context.binding(for: model)), id: id)
  }
}

extension LinkingSource {
  /// The objects that link to that of a cell.
  package init(to cell: borrowing RowCell, originPropertyName: String) {
    self.init(
      cell.binding.model, id: cell.id, originPropertyName: originPropertyName,
      cell.context?.token)
  }
}

extension CollectionTracker {
  /// Observes the answer of a query.
  package init(_ cell: ResultsCell, watching watched: WatchedPathNames) {
    let store = cell.context.store
    self.init(cell.query, watching: watched, of: store, sharing: store.answers)
  }

  /// Observes a list or a set.
  package init(_ cell: CollectionCell, _ store: Store, _ watched: WatchedPathNames) {
    self.init(CollectionIdentity(cell), store, watched)
  }
}
