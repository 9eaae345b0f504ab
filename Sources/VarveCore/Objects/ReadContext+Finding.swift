package import VarveEncoding
import VarveStorage

/// Where an object was found: what a handle is tied to.
package struct FoundObject {
  package let context: ReadContext
  package let binding: ClassBinding
  package let id: UInt64
}

extension ReadContext {
  /// The object under a primary key; nil when there is none, or the class has no primary key.
  ///
  /// - Complexity: one lookup for an integer key, two for others.
  package func findObject(_ model: ClassDescription, primaryKey value: Value) -> FoundObject? {
    let binding = binding(for: model)
    guard let schema = binding.schema, let property = schema.primaryKey else { return nil }
    if let transaction {
      let id = transaction.attemptReading { () throws(Failure) in
        try transaction.object(schema, primaryKey: value)
      }
      guard let id = id ?? nil else { return nil }
      let context = transaction.context(forObject: id, table: schema.table, in: self)
      return FoundObject(context: context, binding: binding, id: id)
    }
    let snapshot = snapshot
    guard let id = uniqueID(property, value, snapshot), snapshot.find(schema.table, id: id) != nil
    else { return nil }
    return FoundObject(context: self, binding: binding, id: id)
  }

  private func uniqueID(
    _ property: StoredProperty, _ value: Value, _ snapshot: Snapshot
  ) -> UInt64? {
    if property.kind.isIntegerKey {
      guard case .int(let key) = value else { return nil }
      return ObjectKey.objectID(forInteger: key)
    }
    guard property.kind.accepts(value) else { return nil }
    do throws(Failure) {
      return try snapshot.uniqueObject(
        indexID: property.indexID, value, fileKey: store.fileKey)
    } catch {
      store.markDamaged(error.message)
      return nil
    }
  }
}

extension ReadContext {
  /// Whether no class has an object.
  ///
  /// - Complexity: O(classes).
  package var hasNoObjects: Bool {
    let reader = reader
    let schema = transaction?.schema ?? store.schema
    return schema.classes.allSatisfy { reader.count($0.table) == 0 }
  }
}
