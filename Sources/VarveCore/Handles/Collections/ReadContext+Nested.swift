import VarveEncoding
import VarveStorage

extension ReadContext {
  /// What ties the handle of a nested collection, which was found in what the context reads.
  ///
  /// One that the running write has made ends with it.
  /// - Parameters:
  ///   - nested: the collection.
  ///   - binding: the class of the object below which it stands.
  ///   - ownerID: the object.
  ///   - slot: the property.
  /// - Returns: a tied handle.
  package func handle(
    of nested: NestedIdentity, binding: ClassBinding, ownerID: UInt64, slot: Int
  ) -> CollectionHandle {
    var context = self
    if let transaction, let view, token !== transaction.token,
      !transaction.base.hasCollection(nested.id)
    {
      context = transaction.contextForCreated(in: view)
    }
    return CollectionHandle(
      context: context, binding: binding, ownerID: ownerID, slot: slot, nested: nested)
  }
}
