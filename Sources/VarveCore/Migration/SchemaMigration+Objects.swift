import VarveEncoding
import VarveStorage

/// Reads the objects of a migration.
extension SchemaMigration {
  /// The context of new objects, in the writing view. Its handles are invalidated if the
  /// transaction is rolled back.
  package var newContext: ReadContext {
    transaction.contextForCreated(in: transaction.writingView())
  }

  /// Whether a class still exists after the migration.
  package func isKept(_ classID: UInt32) -> Bool {
    !removedClasses.contains(classID) && schema.schema(ofClass: classID) != nil
  }

  /// Calls a closure with each object that a class had before the migration, and the same object in
  /// its new state. An object that has been deleted in the meantime is skipped. For a new class,
  /// calls the closure with each object that exists when the iteration begins.
  ///
  /// - Parameters:
  ///   - old: The class before the migration, or nil for a new class.
  ///   - new: The class after the migration, or nil for a removed class.
  ///   - body: Receives the objects to attach handles to. An error ends the iteration.
  /// - Throws: Any error of the closure.
  package func forEachObject(
    _ classID: UInt32, old: ClassDescription?, new: ClassDescription?,
    _ body: (_ old: consuming FoundObject?, _ new: consuming FoundObject?) throws -> Void
  ) rethrows {
    guard let old, let oldClass = oldSchema.schema(ofClass: classID) else {
      guard let new else { return }
      return try forEachNewObject(classID, new, body)
    }
    let base = transaction.base
    let context = newContext.frozen(at: base)
    let binding = transaction.store.binding(for: old)
    // The previous version does not change while the closure runs.
    var cursor = base.cursor(oldClass.table)
    while cursor.next() {
      let row = binding.rowAddress(cursor.value)
      let before = FoundObject(
        context, .passUnretained(binding), cursor.id, row: row, serial: base.serial)
      guard let new else {
        try body(before, nil)
        continue
      }
      guard let now = newObject(cursor.id, classID, new) else { continue }
      try body(before, now)
    }
  }

  private func forEachNewObject(
    _ classID: UInt32, _ model: ClassDescription,
    _ body: (consuming FoundObject?, consuming FoundObject?) throws -> Void
  ) rethrows {
    let ids = transaction.attemptReading { () throws(Failure) in
      try transaction.objectIDs(of: try transaction.classSchema(classID))
    }
    for id in ids ?? [] {
      guard let now = newObject(id, classID, model) else { continue }
      try body(nil, now)
    }
  }

  private func newObject(
    _ id: UInt64, _ classID: UInt32, _ model: ClassDescription
  ) -> FoundObject? {
    guard let schema = schema.schema(ofClass: classID), transaction.exists(schema, id) else {
      return nil
    }
    return FoundObject((newContext, transaction.readableBinding(for: model)), id)
  }
}
