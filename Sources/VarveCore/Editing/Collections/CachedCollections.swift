/// The collections that a transaction holds in memory until they are written.
///
/// Handles keep what they looked up, for the next operation, and outlive the transaction. So a
/// collection that is let go of gives up its tree, which refers to the storage's transaction and
/// through it to the version before the write: otherwise a handle would pin that version.
///
/// Invariant: `last` is one of `all`, or nil.
struct CachedCollections {
  /// Empty, with the memory of those that were in it, when a write hands it to the next.
  var all: [CollectionKey: EditedCollection] = [:]
  /// That of a property which was asked for last.
  private(set) var last: EditedCollection?
  /// Changes whenever one is let go of: handles that kept it look it up again.
  private(set) var serial = FileEditor.nextSerial()
  /// How many are held before they are written early, so that memory stays bounded.
  var maximum = 4096

  /// The collection of a property, which is the last one from now on.
  mutating func find(_ key: CollectionKey) -> EditedCollection? {
    guard let collection = all[key] else { return nil }
    last = collection
    return collection
  }

  mutating func hold(_ collection: EditedCollection) { all[collection.key] = collection }

  /// Lets go of a collection: it is deleted.
  mutating func forget(_ key: CollectionKey) {
    guard let collection = all.removeValue(forKey: key) else { return }
    collection.list = nil
    last = nil
    serial = FileEditor.nextSerial()
  }

  /// Lets go of all: they are written, or discarded.
  mutating func removeAll() {
    for collection in all.values {
      collection.list = nil
      collection.positions = NestedPositions()
    }
    all.removeAll(keepingCapacity: true)
    last = nil
    serial = FileEditor.nextSerial()
  }
}
