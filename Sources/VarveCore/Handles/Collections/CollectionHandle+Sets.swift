package import VarveEncoding
import VarveStorage

/// Reads of sets.
extension CollectionHandle {
  /// Returns whether the set contains a value.
  ///
  /// - Complexity: O(log n).
  package func setContains(_ value: Value) -> Bool {
    readingEntries { (reader, content, property, fileKey) throws(Failure) in
      try reader.setContains(value, content, property, fileKey: fileKey)
    } ?? false
  }

  /// Returns whether the set contains an object, at any version of its handle.
  ///
  /// - Complexity: O(log n).
  package func setContains(_ object: borrowing RowHandle) -> Bool {
    link(to: object).map(setContains) ?? false
  }

  /// Returns the link to an object as the collection stores it.
  ///
  /// - Returns: Nil for an unmanaged object, an object of another store, and an object of another
  ///   class than the property links to.
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
    readingEntries { (reader, content, property, _) throws(Failure) in
      try reader.setElements(content, property)
    } ?? []
  }

  /// The last element of the set, or nil for an empty one.
  ///
  /// - Complexity: O(log n).
  package var lastSetElement: Value? {
    readingEntries { (reader, content, property, _) throws(Failure) in
      try reader.lastSetElement(content, property)
    } ?? nil
  }

  /// An iteration over the set in the version that is read now.
  ///
  /// - Returns: Nil when the owner does not exist.
  /// - Precondition: The thread is not inside a write, or the handle is frozen.
  package var setWalk: SetWalk? {
    readingEntries { (reader, content, property, _) throws(Failure) in
      SetWalk(content, property, in: reader)
    }
  }
}
