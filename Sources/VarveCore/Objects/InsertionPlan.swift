package import Foundation
package import VarveEncoding
import VarveStorage

/// What storing new objects of one class needs to know, looked up once for a run of them. It counts no references.
///
/// For classes of which every property is one value, a link or a collection: see ``ClassBinding/plan``.
///
/// Thread safety: an immutable value, right as long as the transaction's schema stays what it is.
package struct InsertionPlan {
  // Safe because the store keeps every binding that it ever made, and a binding what it is made of.

  package let binding: Unmanaged<ClassBinding>
  fileprivate let model: Unmanaged<ClassDescription>
  package let schema: Unmanaged<ClassSchema>
  let table: Table
  package let classID: UInt32
  /// Where the values go.
  package let firstField: UnsafePointer<FlatField>
  package let fieldCount: Int
  /// Whether the primary key is an integer, and with that the object id.
  package let hasIntegerKey: Bool
  /// Whether an object whose primary key is 0 gets the next one.
  package let generatesKeys: Bool
  /// The id of the object with the greatest key that can be generated.
  let greatestGeneratedID: UInt64
  /// The slot of the primary key; -1 where there is none.
  package let keySlot: Int
  /// Whether every property is one value and no link.
  package let isFlat: Bool
  /// The model of the class.
  package var description: ClassDescription { model.takeUnretainedValue() }
  /// Whether the class has indexes over several properties, unique or full-text ones.
  let hasClassIndexes: Bool

  /// `firstField`: the first one of `fields`, in memory that lives as long as the binding.
  init(
    _ binding: ClassBinding, _ schema: ClassSchema, _ fields: [FlatField],
    at firstField: UnsafePointer<FlatField>
  ) {
    self.binding = .passUnretained(binding)
    self.schema = .passUnretained(schema)
    self.firstField = firstField
    fieldCount = fields.count
    model = .passUnretained(binding.model)
    table = schema.table
    classID = schema.id
    keySlot = binding.model.primaryKeySlot ?? -1
    isFlat = fields.allSatisfy { $0.content == .value }
    hasIntegerKey = schema.hasIntegerPrimaryKey
    generatesKeys = binding.model.generatesKeys
    greatestGeneratedID = schema.primaryKey?.kind.type.greatestObjectID ?? 0
    hasClassIndexes = !schema.indexes.isEmpty
  }

  @inline(__always)
  fileprivate func isOf(_ model: Unmanaged<ClassDescription>) -> Bool {
    self.model.toOpaque() == model.toOpaque()
  }
}

extension ClassBinding {
  /// Whether every property is one value and no link, and objects of the class are stored by a plan.
  package var isFlat: Bool { plan?.pointee.isFlat ?? false }
}

extension Transaction {
  /// How new objects of a class are stored; registers the class when the file does not have it.
  ///
  /// - Returns: what is right until the schema changes or another class is asked for; nil for a class with
  ///   mixed values or embedded objects, and for one that has properties which the model does not know.
  @inline(__always)
  package func insertionPlan(
    for model: Unmanaged<ClassDescription>
  ) throws(Failure) -> UnsafePointer<InsertionPlan>? {
    if let plan, plan.pointee.isOf(model) { return plan }
    plan = try binding(for: model.takeUnretainedValue()).plan
    return plan
  }

  /// The id of an object that is about to be stored under an integer primary key.
  ///
  /// - Throws: `.duplicatePrimaryKey` when an object has the key.
  package func newObjectID(
    _ plan: UnsafePointer<InsertionPlan>, integerKey key: Int64
  ) throws(Failure) -> UInt64 {
    let id = ObjectKey.objectID(forInteger: key)
    if _fastPath(appendPoints.isAfter(id, plan.pointee.classID)) { return id }
    return try newObjectID(plan.pointee.schema.takeUnretainedValue(), primaryKey: .int(key))
  }

  /// The id of an object that is about to be stored without an integer primary key; see
  /// ``newObjectID(_:primaryKey:)``.
  package func newObjectID(
    _ plan: UnsafePointer<InsertionPlan>, key: Value?
  ) throws(Failure) -> UInt64 {
    key == nil
      ? nextObjectID()
      : try newObjectID(plan.pointee.schema.takeUnretainedValue(), primaryKey: key)
  }

  package func beginRow(_ plan: UnsafePointer<InsertionPlan>) {
    plan.pointee.schema._withUnsafeGuaranteedRef { scratchRow.begin(layout: $0.currentLayout) }
  }

  /// Whether a link to a managed object can be stored as it is: the object exists, in this store, and is of the class
  /// that the property links to.
  package func canLink(to target: borrowing RowCell, _ field: UnsafePointer<FlatField>) -> Bool {
    guard let reference = target.contextReference else { return false }
    let isLive = reference._withUnsafeGuaranteedRef { context in
      context.hotStore.toOpaque() == Unmanaged.passUnretained(store).toOpaque() && !context.isVoid
    }
    let classID = field.pointee.linkedClassID
    guard isLive, let bound = target.binding.schema, bound.id == classID,
      let current = schema.schema(ofClass: classID), current === bound || current.name == bound.name
    else { return false }
    return exists(current, target.id)
  }

  // Fills one property of the new row with a value of its own type.

  package func fill(_ field: UnsafePointer<FlatField>, _ value: Int64) {
    scratchRow.setInt64(value, field.pointee.field)
  }

  package func fill(_ field: UnsafePointer<FlatField>, _ value: Double) {
    scratchRow.setDouble(value, field.pointee.field)
  }

  package func fill(_ field: UnsafePointer<FlatField>, _ value: Date) {
    scratchRow.setDate(value, field.pointee.field)
  }

  package func fill(_ field: UnsafePointer<FlatField>, _ value: Bool) {
    scratchRow.setBool(value, field.pointee.field)
  }

  /// - Returns: false for an integer that is too great for the property.
  package func isFilled(_ field: UnsafePointer<FlatField>, narrow value: Int64) -> Bool {
    let unused = 64 - 8 * field.pointee.field.width
    guard (value << unused) >> unused == value else { return false }
    scratchRow.setInt64(value, field.pointee.field)
    return true
  }

  /// - Returns: false for a string that is too long for a row.
  package func fill(_ field: UnsafePointer<FlatField>, _ value: String) -> Bool {
    guard value.utf8.count <= Row.maximumInlineBytes else { return false }
    scratchRow.setString(value, field.pointee.field)
    return true
  }

  /// Fills one property of the new row, whatever the value, with its index entry.
  ///
  /// - Throws: `.typeMismatch` or `.missingValue` when the value does not fit.
  package func fill(
    _ field: UnsafePointer<FlatField>, _ value: Value, object id: UInt64,
    _ plan: UnsafePointer<InsertionPlan>
  ) throws(Failure) {
    try fill(
      field.pointee, value, object: id, in: plan.pointee.schema.takeUnretainedValue())
  }

  /// Stores the new row, as ``insertRow(_:_:)``.
  package func insertRow(
    _ plan: UnsafePointer<InsertionPlan>, _ id: UInt64
  ) throws(Failure) {
    guard !plan.pointee.hasClassIndexes, appendPoints.isAfter(id, plan.pointee.classID),
      _fastPath(!hasLeftEngine)
    else { return try insertRow(plan.pointee.schema.takeUnretainedValue(), id) }
    let bytes = scratchRow.finish()
    do throws(StorageError) {
      try storage.append(plan.pointee.table, id: id, bytes)
    } catch {
      throw Failure(error)
    }
    appendPoints.note(id, plan.pointee.classID)
  }
}
