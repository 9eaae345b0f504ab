import VarveEncoding

/// The location of a nested collection, whose slot is updated when the collection changes.
///
/// Thread safety: none; the thread of the transaction uses it.
struct NestedLocation {
  /// The enclosing collection; nil for a value of the object itself.
  let parent: EditedCollection?
  /// The nesting depth, counting this collection.
  let depth: Int

  init(_ parent: EditedCollection?) {
    self.parent = parent
    depth = (parent?.location?.depth ?? 0) + 1
  }
}

/// The last known positions of nested collections among the elements of their enclosing collection,
/// by id. A position may be outdated.
struct NestedPositions {
  var indexes: [UInt64: Int] = [:]
  var keys: [UInt64: String] = [:]
}
