/// The edits of a sorted order between two versions, at most one for each object.
package struct OrderEdits: Equatable, Sendable {
  /// An object whose sort keys changed, so that its position may differ.
  package struct Rekeyed: Equatable, Sendable {
    package var id: UInt64
    package var old: UInt64
    package var new: UInt64
    /// Whether the object counts as modified if it keeps its position.
    package var isWatched: Bool

    package init(id: UInt64, old: UInt64, new: UInt64, isWatched: Bool = true) {
      self.id = id
      self.old = old
      self.new = new
      self.isWatched = isWatched
    }
  }

  /// The objects that left the order, with their old entries.
  package var removed: [OrderedEntry] = []

  /// The objects that entered the order, with their new entries.
  package var inserted: [OrderedEntry] = []

  /// The changed objects that stay in the order with the same sort keys.
  package var modified: [OrderedEntry] = []

  /// The changed objects that stay in the order and whose sort keys differ or may differ.
  package var rekeyed: [Rekeyed] = []

  package init() {}

  package var isEmpty: Bool {
    removed.isEmpty && inserted.isEmpty && modified.isEmpty && rekeyed.isEmpty
  }
}
