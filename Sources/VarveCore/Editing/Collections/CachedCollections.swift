/// The collections that a transaction caches in memory until they are written.
///
/// Handles cache the collection that they looked up for the next operation, and outlive the
/// transaction. A released collection therefore discards its tree, which refers to the storage's
/// transaction and through it to the version before the write: otherwise a handle would pin that
/// version.
///
/// Invariant: `last` is one of `all`, or nil.
struct CachedCollections {
  /// The collections by key. Passed to the next write empty, with its capacity.
  var all: [CollectionKey: EditedCollection] = [:]
  /// The collection of a property that was looked up last.
  private(set) var last: EditedCollection?
  /// A number that changes whenever a collection is released: handles that cached it look it up
  /// again.
  private(set) var serial = FileEditor.nextSerial()
  /// The number of collections that are cached before they are written early, which bounds the
  /// memory.
  var maximum = 4096

  /// Returns the collection of a property, and makes it the last one.
  mutating func find(_ key: CollectionKey) -> EditedCollection? {
    guard let collection = all[key] else { return nil }
    last = collection
    return collection
  }

  mutating func insert(_ collection: EditedCollection) { all[collection.key] = collection }

  /// Releases a deleted collection.
  mutating func forget(_ key: CollectionKey) {
    guard let collection = all.removeValue(forKey: key) else { return }
    collection.list = nil
    last = nil
    serial = FileEditor.nextSerial()
  }

  /// Releases all collections after they were written or discarded.
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
