import VarveEncoding
import VarveStorage

/// What the objects of a migration are read through.
extension SchemaMigration {
  /// The handles of new objects, in the writing view; they end with the transaction if that is rolled back.
  package var newContext: ReadContext {
    transaction.contextForCreated(in: transaction.writingView())
  }

  /// Whether a class is still there when the migration has ended.
  package func isKept(_ classID: UInt32) -> Bool {
    !removedClasses.contains(classID) && schema.schema(ofClass: classID) != nil
  }

  /// Calls a body with each object that a class had before the migration, and the same object now; an object that was
  /// deleted meanwhile is left out. Of a new class, with each object that it has at the beginning.
  ///
  /// - Parameters:
  ///   - classID: the class.
  ///   - old: the class before; nil for a new one.
  ///   - new: the class now; nil for one that ends.
  ///   - body: gets what the handles are tied to. What it throws ends the walk.
  /// - Throws: what the body throws.
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
    // The version before does not change, whatever the body does.
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
    return FoundObject((newContext, transaction.knownBinding(for: model)), id)
  }
}
