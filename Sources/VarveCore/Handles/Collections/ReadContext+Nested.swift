import VarveEncoding
import VarveStorage

extension ReadContext {
  /// Returns a handle of a nested collection that was found in the version that the context reads.
  ///
  /// If the running write created the collection, the handle is invalidated when the write is
  /// rolled back.
  /// - Parameters:
  ///   - nested: The collection.
  ///   - binding: The class of the object that contains it.
  ///   - ownerID: The object.
  ///   - slot: The property.
  /// - Returns: An attached handle.
  package func handle(
    of nested: NestedIdentity, binding: ClassBinding, ownerID: UInt64, slot: Int
  ) -> CollectionHandle {
    var context = self
    if let transaction, let view, outcome !== transaction.outcome,
      !transaction.base.hasCollection(nested.id)
    {
      context = transaction.contextForCreated(in: view)
    }
    return CollectionHandle(
      context: context, binding: binding, ownerID: ownerID, slot: slot, nested: nested)
  }
}
