/// Letting go of the collections that a transaction holds in memory.
///
/// Handles keep what they looked up, for the next operation, and outlive the transaction. So a
/// collection that is let go of gives up its tree, which refers to the storage's transaction and
/// through it to the version before the write: else a handle would pin that version for ever.
extension FileEditor {
  /// Empties the collections held; they are written, or discarded.
  func forgetCollections() {
    for collection in collections.values {
      collection.list = nil
      collection.positions = NestedPositions()
    }
    collections.removeAll(keepingCapacity: true)
    lastCollection = nil
    collectionsSerial = FileEditor.nextSerial()
  }

  /// Takes a collection out of what is held: it is deleted, and handles that kept it must not go on.
  func forgetCollection(_ key: CollectionKey) {
    guard let collection = collections.removeValue(forKey: key) else { return }
    collection.list = nil
    lastCollection = nil
    collectionsSerial = FileEditor.nextSerial()
  }
}
