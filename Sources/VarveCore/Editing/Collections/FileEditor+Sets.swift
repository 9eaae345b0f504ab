package import VarveEncoding
import VarveStorage

/// Operations on sets inside a write transaction.
extension FileEditor {
  /// Whether a set contains an element.
  package func contains(
    _ element: Value, _ collection: EditedCollection
  ) throws(Failure) -> Bool {
    try storage.setContains(
      element, try content(of: collection), collection.property, fileKey: fileKey)
  }

  /// Returns the elements of a set, in order.
  ///
  /// - Complexity: O(n).
  package func setElements(_ collection: EditedCollection) throws(Failure) -> [Value] {
    try storage.setElements(try content(of: collection), collection.property)
  }

  /// Inserts elements, or none of them. Inserting an existing element is not a change: the stored
  /// element stays as it is, for example 0.0 if -0.0 is inserted.
  ///
  /// - Throws: The error of an invalid element.
  package func insertElements(
    _ elements: some Collection<Value>, _ collection: EditedCollection
  ) throws(Failure) {
    for element in elements { try check(element, collection.property, collection.schema) }
    for element in elements { try insertChecked(element, collection) }
  }

  private func insertChecked(
    _ element: Value, _ collection: EditedCollection
  ) throws(Failure) {
    guard try !contains(element, collection) else { return }
    try beginSetChange(collection)
    // Stored in full, whatever its length: an entry is never written twice.
    scratchValue.removeAll()
    ElementCodec.append(element, to: &scratchValue)
    makeEntryKey(element, collection)
    var mayAppend = false
    let isNew = hasLeftEngine ? true : try tryInsertScratchEntry(.sets, &mayAppend)
    guard isNew else {
      throw Failure(
        .fail, "Two long elements of a set have the same hash.", className: collection.schema.name,
        propertyName: collection.declaredName, value: element.text)
    }
    collection.setCount(Int(collection.slot.count) + 1)
    try changeBacklink(of: element, in: collection, by: 1)
  }

  /// Removes an element. Removing an absent element is not a change.
  ///
  /// - Returns: Whether the element was present.
  @discardableResult
  package func removeElement(
    _ element: Value, _ collection: EditedCollection
  ) throws(Failure) -> Bool {
    guard try contains(element, collection) else { return false }
    try removePresent(element, collection)
    return true
  }

  private func removePresent(
    _ element: Value, _ collection: EditedCollection
  ) throws(Failure) {
    try beginSetChange(collection)
    makeEntryKey(element, collection)
    try deleteScratchKey(.sets)
    collection.setCount(Int(collection.slot.count) - 1)
    try changeBacklink(of: element, in: collection, by: -1)
  }

  /// Removes the given elements that are present, and inserts the others; or does neither.
  ///
  /// - Throws: The error of an invalid element.
  package func toggleElements(
    _ elements: [Value], _ collection: EditedCollection
  ) throws(Failure) {
    for element in elements { try check(element, collection.property, collection.schema) }
    var seen: Set<SetElementKey> = []
    for element in elements
    where seen.insert(SetElementKey(element, collection.property.kind.type)).inserted {
      if try !removeElement(element, collection) { try insertChecked(element, collection) }
    }
  }

  /// Removes every element.
  package func removeAllSetElements(_ collection: EditedCollection) throws(Failure) {
    try removeElements(collection) { _ in true }
  }

  /// Removes the elements that satisfy a predicate.
  ///
  /// - Complexity: O(n).
  package func removeElements(
    _ collection: EditedCollection, where isUnwanted: (Value) -> Bool
  ) throws(Failure) {
    guard collection.slot.count > 0 else { return }
    for element in try setElements(collection) where isUnwanted(element) {
      try removePresent(element, collection)
    }
  }

  /// Replaces the contents of a set, or leaves the set unchanged.
  ///
  /// - Throws: The error of an invalid element.
  /// - Complexity: O(n + elements).
  package func replaceElements(
    _ elements: [Value], _ collection: EditedCollection
  ) throws(Failure) {
    for element in elements { try check(element, collection.property, collection.schema) }
    let type = collection.property.kind.type
    let kept = Set(elements.map { SetElementKey($0, type) })
    try removeElements(collection) { !kept.contains(SetElementKey($0, type)) }
    for element in elements { try insertChecked(element, collection) }
  }

  private func beginSetChange(_ collection: EditedCollection) throws(Failure) {
    try beginChange(collection)
    collection.setEdits += 1
  }

  /// Encodes the key of an entry into `scratchKey`.
  private func makeEntryKey(_ element: Value, _ collection: EditedCollection) {
    _ = CollectionEntryKey.encode(
      element: element, type: collection.property.kind.type, collectionID: collection.slot.id,
      fileKey: fileKey, into: &scratchKey)
  }
}
