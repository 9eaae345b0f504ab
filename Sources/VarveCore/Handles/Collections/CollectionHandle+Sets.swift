package import VarveEncoding
import VarveStorage

/// Reads of sets.
extension CollectionHandle {
  /// Whether the set holds a value.
  ///
  /// - Complexity: O(log n).
  package func setContains(_ value: Value) -> Bool {
    readingEntries { (reader, slot, property, fileKey) throws(Failure) in
      try reader.setContains(value, slot, property, fileKey: fileKey)
    } ?? false
  }

  /// Whether the set holds an object, at whatever version its handle is.
  ///
  /// - Complexity: O(log n).
  package func setContains(_ object: borrowing RowHandle) -> Bool {
    link(to: object).map(setContains) ?? false
  }

  /// The link to an object as the collection holds it.
  ///
  /// - Returns: nil for an unmanaged object, one of another store, and one of another class than the property links to.
  package func link(to object: borrowing RowHandle) -> Value? {
    guard let context, let other = object.context, other.store === context.store,
      !owner.isRolledBack, !object.isRolledBack, let property,
      let classID = object.binding.schema?.id,
      property.kind.type == .mixed || property.linkedClassID == classID
    else { return nil }
    return .link(classID: classID, objectID: object.id)
  }

  /// The elements of the set, in order.
  ///
  /// - Complexity: O(n).
  package var setElements: [Value] {
    readingEntries { (reader, slot, property, _) throws(Failure) in
      try reader.setElements(slot, property)
    } ?? []
  }

  /// The last element of the set; nil for an empty one.
  ///
  /// - Complexity: O(log n).
  package var lastSetElement: Value? {
    readingEntries { (reader, slot, property, _) throws(Failure) in
      try reader.lastSetElement(slot, property)
    } ?? nil
  }

  /// A walk over the set in the version that is read now.
  ///
  /// - Returns: nil when the owner does not exist.
  /// - Precondition: the thread is not inside a write, or the handle is frozen.
  package var setWalk: SetWalk? {
    readingEntries { (reader, slot, property, _) throws(Failure) in
      SetWalk(slot, property, in: reader)
    }
  }
}
