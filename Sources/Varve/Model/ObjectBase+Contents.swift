import VarveCore

/// Collections of an unmanaged object that is stored the short way.
extension ObjectBase {
  /// The contents of the collections that were used.
  ///
  /// - Returns: nil when the object has to be stored the long way: a collection is of a kind that is stored after the
  ///   row.
  final func contents(_ plan: UnsafePointer<InsertionPlan>) -> [ObjectAdder.Content]? {
    var contents: [ObjectAdder.Content] = []
    var field = plan.pointee.firstField
    for _ in 0..<plan.pointee.fieldCount {
      defer { field += 1 }
      switch field.pointee.content {
      case .value, .link: continue
      case .collection, .lateCollection: break
      }
      let slot = field.pointee.slot
      guard case .collection(let handle)? = current(slot)?.content else { continue }
      if field.pointee.content == .lateCollection { return nil }
      contents.append(ObjectAdder.Content(handle, slot))
    }
    return contents
  }

  /// Makes the collections of an object managed that was stored with their contents.
  ///
  /// - Returns: what stores those once more that others have changed since they were taken.
  final func publish(_ contents: [ObjectAdder.Content]) -> [() -> Void] {
    guard !contents.isEmpty, let context = cell.context else { return [] }
    let (binding, id) = (cell.binding, cell.id)
    var again: [() -> Void] = []
    for content in contents {
      let changed = content.handle.publish(
        context, binding, ownerID: id, slot: content.slot, changes: content.changes)
      if let changed { again.append(changed) }
    }
    return again
  }
}

extension ObjectAdder.Content {
  /// Takes what a collection holds.
  init(_ handle: any _CollectionHandle, _ slot: Int) {
    self.init(
      slot: slot, handle: handle, changes: handle.unmanagedChanges,
      elements: handle.unmanagedElements, entries: handle.unmanagedEntries)
  }
}
