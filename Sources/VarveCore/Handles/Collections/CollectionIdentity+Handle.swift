extension CollectionIdentity {
  package init(_ handle: CollectionHandle) {
    self.init(
      handle.owner.binding.model, slot: handle.slot, ownerID: handle.owner.id,
      nested: handle.nested,
      handle.context?.outcome)
  }
}

extension CollectionHandle {
  /// Creates a handle of a collection in a view or version.
  package convenience init(_ identity: CollectionIdentity, in context: ReadContext) {
    self.init(
      context: context, binding: context.lasting(context.binding(for: identity.model)),
      ownerID: identity.ownerID, slot: identity.slot, nested: identity.nested)
  }
}

extension RowHandle {
  /// Creates a handle of an object in a view or version.
  init(_ id: UInt64, of model: ClassDescription, in context: ReadContext) {
    self.init()
    attach(to: context, binding: context.lasting(context.binding(for: model)), id: id)
  }
}

extension LinkingSource {
  /// Creates the source of the objects that link to the object of a handle.
  package init(to handle: borrowing RowHandle, originPropertyName: String) {
    self.init(
      handle.binding.model, id: handle.id, originPropertyName: originPropertyName,
      handle.context?.outcome)
  }
}

extension CollectionTracker {
  /// Creates a tracker of the results of a query.
  package init(_ handle: ResultsHandle, watching watched: WatchedPathNames) {
    let store = handle.context.store
    self.init(handle.query, watching: watched, of: store, sharing: store.answers)
  }

  /// Creates a tracker of a list or a set.
  package init(_ handle: CollectionHandle, _ store: Store, _ watched: WatchedPathNames) {
    self.init(CollectionIdentity(handle), store, watched)
  }
}
