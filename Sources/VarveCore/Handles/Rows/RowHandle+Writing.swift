import Synchronization
package import VarveEncoding
import VarveStorage

extension RowHandle {
  /// Sets a property inside the write transaction of this thread.
  ///
  /// An error marks the transaction as failed.
  /// - Precondition: The thread is inside a write.
  package func set(_ slot: Int, _ value: Value) {
    guard let (context, transaction) = writing(slot) else { return }
    transaction.attempt { () throws(Failure) in
      let (schema, property) = try writable(slot, context, transaction)
      try transaction.set(schema, id, property, value)
    }
  }

  /// Appends bytes to a property of the type data inside the write transaction of this thread.
  ///
  /// An error marks the transaction as failed.
  /// - Precondition: The thread is inside a write.
  package func append(_ slot: Int, _ bytes: UnsafeRawBufferPointer) {
    guard let (context, transaction) = writing(slot) else { return }
    // Stores the default, if the object lacks it.
    if mayLackDefault(slot) { _ = value(slot) }
    transaction.attempt { () throws(Failure) in
      let (schema, property) = try writable(slot, context, transaction)
      try transaction.append(bytes, schema, id, property)
    }
  }

  /// Returns the context and the transaction for a change of a property, or nil when the change is
  /// refused.
  ///
  /// When the thread is only inside writes of other stores, the change marks those as failed.
  /// - Precondition: The thread is inside a write.
  package func writing(_ slot: Int) -> (ReadContext, Transaction)? {
    guard let context else { return nil }
    if let transaction = context.transactionReference {
      return (context, transaction.takeUnretainedValue())
    }
    guard context.store.isWritingThread,
      let transaction = context.store.runningTransaction(for: context.view)
    else {
      let isInAnotherWrite =
        Store.failWritesOfThread(
          Failure(
            .foreignObject, "The object belongs to a store that is not being written to.",
            className: binding.name, propertyName: propertyName(slot),
            path: context.store.options.path)) != nil
      Misuse.require(
        isInAnotherWrite,
        "A managed object of class \(binding.name) was changed outside a write transaction.")
      return nil
    }
    if context.isFrozen {
      transaction.markFailed(
        Failure(
          .frozen, "A frozen object cannot be changed.", className: binding.name,
          propertyName: propertyName(slot)))
      return nil
    }
    return (context, transaction)
  }

  /// Returns the name of a property, for errors.
  package func propertyName(_ slot: Int) -> String { binding.model.properties[slot].alias }

  /// Returns the stored class and property of a property slot, as of the transaction.
  package func writable(
    _ slot: Int, _ context: ReadContext, _ transaction: Transaction
  ) throws(Failure) -> (ClassSchema, StoredProperty) {
    guard !context.isInvalidated else { throw invalidatedFailure(slot) }
    let bound = binding
    if let schema = bound.schema, transaction.isCurrent(schema),
      let property = bound.properties[slot]
    {
      return (schema, property)
    }
    let current = try transaction.binding(for: bound.model)
    guard let schema = current.schema, let property = current.properties[slot] else {
      throw Failure(
        .unknownProperty, "The class has no such stored property.", className: bound.name,
        propertyName: propertyName(slot))
    }
    return (schema, property)
  }

  /// Whether the object exists in the version, or the transaction, that the handle reads.
  package var exists: Bool {
    guard let context, !context.isInvalidated, let schema = binding.schema else {
      return false
    }
    if let transaction = context.transaction { return transaction.exists(schema, id) }
    // The address of a row that was read before the fork is still cached.
    if ProcessFork.isChild { return false }
    let pinned = pin(context, nil)
    defer { pinned.end() }
    return pinned.row != nil
  }

  /// Whether the handle was made in a write that was rolled back.
  package var isRolledBack: Bool { context?.isInvalidated ?? false }

  /// Returns whether the object exists in the version that a context reads, which may differ from
  /// the handle's own.
  func exists(in context: ReadContext) -> Bool {
    guard self.context?.isInvalidated != true, let schema = binding.schema else {
      return false
    }
    if let transaction = context.transaction { return transaction.exists(schema, id) }
    let announcement = context.announce { noteRead(nil, context) }
    defer { announcement.end() }
    return announcement.snapshot._withUnsafeGuaranteedRef { $0.find(schema.table, id: id) } != nil
  }
}
