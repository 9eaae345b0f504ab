import VarveCore
import VarveEncoding

/// Objects of classes without links and collections, which need no other object: the short way.
extension Transaction {
  /// Stores an object in an operation of its own.
  ///
  /// - Returns: whether it was stored, or the operation failed; otherwise nothing was done.
  func addFlat(_ object: ObjectBase, _ context: ReadContext) -> Bool {
    guard !object.cell.isTied, beginOperation() else { return false }
    do throws(Failure) {
      return try addedFlat(object, context) != nil
    } catch {
      fail(error)
      return true
    }
  }

  /// Stores an unmanaged object, and makes it managed.
  ///
  /// - Returns: the class's id; nil when the object has to be stored the long way.
  func addedFlat(
    _ object: ObjectBase, _ context: ReadContext
  ) throws(Failure) -> UInt32? {
    guard !context.isFrozen, try plan(for: object) != nil else { return nil }
    // Code of the model, which may itself write: not once the row is begun.
    object.evaluateDefaults()
    guard let reference = try plan(for: object) else { return nil }
    let plan = reference.takeUnretainedValue()
    guard let created = contextForCreated(like: context) else { return nil }
    let isStored = try object.storeFlat(created, plan.binding) {
      (values) throws(Failure) in
      let id = try newID(plan, values)
      beginRow(plan)
      for field in plan.fields { try fill(field, values[field.slot], object: id, plan) }
      try insertRow(plan, id)
      return id
    }
    return isStored ? plan.classID : nil
  }

  @inline(__always)
  private func fill(
    _ field: FlatField, _ box: _Boxed, object id: UInt64, _ plan: InsertionPlan
  ) throws(Failure) {
    switch box.content {
    case .value(let value): try fill(field, value, object: id, plan)
    default: try fill(field, Value.null, object: id, plan)
    }
  }

  @inline(__always)
  private func newID(
    _ plan: InsertionPlan, _ values: UnsafeMutablePointer<_Boxed>
  ) throws(Failure) -> UInt64 {
    if plan.integerKeySlot >= 0, case .value(.int(let key)) = values[plan.integerKeySlot].content {
      return try newObjectID(plan, integerKey: key)
    }
    let slot = max(plan.integerKeySlot, plan.otherKeySlot)
    return try newObjectID(plan, key: slot < 0 ? nil : values[slot].value ?? .null)
  }

  @inline(__always)
  private func plan(for object: ObjectBase) throws(Failure) -> Unmanaged<InsertionPlan>? {
    guard let info = ClassInfo.known(object) else {
      return try insertionPlan(for: object.info.description)
    }
    return try insertionPlan(for: info._withUnsafeGuaranteedRef { $0.description })
  }
}
