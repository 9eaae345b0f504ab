package import VarveEncoding
import VarveStorage

/// What storing new objects of one class needs to know, looked up once for a run of them.
///
/// For classes of which every property is one value and no link: see ``ClassBinding/flatFields``.
///
/// Thread safety: immutable; lives as long as the transaction's schema stays what it is.
package final class InsertionPlan {
  package let binding: ClassBinding
  let model: ClassDescription
  let schema: ClassSchema
  let table: Table
  package let classID: UInt32
  /// Where the values go. Owned; never changed.
  package let fields: UnsafeBufferPointer<FlatField>
  /// The slot of an integer primary key, which is the object id; -1 where there is none.
  package let integerKeySlot: Int
  /// The slot of another primary key; -1 where there is none.
  package let otherKeySlot: Int
  /// Whether the class has indexes over several properties, unique or full-text ones.
  let hasClassIndexes: Bool

  fileprivate init(_ binding: ClassBinding, _ schema: ClassSchema, _ fields: [FlatField]) {
    self.binding = binding
    self.schema = schema
    model = binding.model
    table = schema.table
    classID = schema.id
    let memory = UnsafeMutableBufferPointer<FlatField>.allocate(capacity: fields.count)
    _ = memory.initialize(from: fields)
    self.fields = UnsafeBufferPointer(memory)
    let keySlot = binding.model.primaryKeySlot ?? -1
    integerKeySlot = schema.hasIntegerPrimaryKey ? keySlot : -1
    otherKeySlot = schema.hasIntegerPrimaryKey ? -1 : keySlot
    hasClassIndexes = !schema.indexes.isEmpty
  }

  deinit { fields.deallocate() }
}

extension Transaction {
  /// How new objects of a class are stored; registers the class when the file does not have it.
  ///
  /// - Returns: nil for a class with links, mixed values or collections, and for one that has properties which the
  ///   model does not know.
  @inline(__always)
  package func insertionPlan(
    for model: ClassDescription
  ) throws(Failure) -> Unmanaged<InsertionPlan>? {
    if let planReference, planReference._withUnsafeGuaranteedRef({ $0.model === model }) {
      return planReference
    }
    return try newPlan(for: model)
  }

  private func newPlan(
    for model: ClassDescription
  ) throws(Failure) -> Unmanaged<InsertionPlan>? {
    let binding = try binding(for: model)
    guard let fields = binding.flatFields, let schema = binding.schema else { return nil }
    let plan = plans[model.modelIndex] ?? InsertionPlan(binding, schema, fields)
    plans[model.modelIndex] = plan
    planReference = .passUnretained(plan)
    return planReference
  }

  /// Has plans made anew: the schema changed.
  func forgetPlans() {
    planReference = nil
    plans.removeAll()
  }

  /// The id of an object that is about to be stored under an integer primary key.
  ///
  /// - Throws: `.duplicatePrimaryKey` when an object has the key.
  @inline(__always)
  package func newObjectID(
    _ plan: InsertionPlan, integerKey key: Int64
  ) throws(Failure) -> UInt64 {
    let id = ObjectKey.objectID(forInteger: key)
    if _fastPath(appendPoints.isAfter(id, plan.classID)) { return id }
    return try newObjectID(plan.schema, primaryKey: .int(key))
  }

  /// The id of an object that is about to be stored without an integer primary key; see
  /// ``newObjectID(_:primaryKey:)``.
  package func newObjectID(_ plan: InsertionPlan, key: Value?) throws(Failure) -> UInt64 {
    key == nil ? nextObjectID() : try newObjectID(plan.schema, primaryKey: key)
  }

  package func beginRow(_ plan: InsertionPlan) { beginRow(plan.schema) }

  /// Fills one property of the new row, with its index entry.
  ///
  /// - Throws: `.typeMismatch` or `.missingValue` when the value does not fit.
  package func fill(
    _ target: FlatField, _ value: Value, object id: UInt64, _ plan: InsertionPlan
  ) throws(Failure) {
    try fill(target, value, object: id, in: plan.schema)
  }

  /// Stores the new row, as ``insertRow(_:_:)``.
  package func insertRow(_ plan: InsertionPlan, _ id: UInt64) throws(Failure) {
    guard !plan.hasClassIndexes, appendPoints.isAfter(id, plan.classID),
      _fastPath(!hasLeftEngine)
    else { return try insertRow(plan.schema, id) }
    let bytes = scratchRow.finish()
    do throws(StorageError) {
      try storage.append(plan.table, id: id, bytes)
    } catch {
      throw Failure(error)
    }
    appendPoints.note(id, plan.classID)
  }
}
