import VarveEncoding

/// Where a nested collection stands: what is told when it changes.
///
/// Thread safety: none; the thread of the transaction uses it.
struct NestedLocation {
  /// The collection around it; nil for a value of the object itself.
  let parent: EditedCollection?
  /// How many collections are around it, and itself.
  let depth: Int

  init(_ parent: EditedCollection?) {
    self.parent = parent
    depth = (parent?.place?.depth ?? 0) + 1
  }
}

/// Where nested collections stood in the elements of the collection around them, by their ids: there, unless it has
/// been changed since.
struct NestedPositions {
  var indexes: [UInt64: Int] = [:]
  var keys: [UInt64: String] = [:]
}
