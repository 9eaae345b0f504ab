/// What happened to the objects of a sorted order between two versions, each object named once.
package struct OrderEdits: Equatable, Sendable {
  /// An object whose place may be another one: what it is sorted by has changed.
  package struct Rekeyed: Equatable, Sendable {
    package var id: UInt64
    package var old: UInt64
    package var new: UInt64
    /// Whether it counts as modified where it stays in its place.
    package var isWatched: Bool

    package init(id: UInt64, old: UInt64, new: UInt64, isWatched: Bool = true) {
      self.id = id
      self.old = old
      self.new = new
      self.isWatched = isWatched
    }
  }

  /// Objects that are no longer in the order, as they were.
  package var removed: [OrderedEntry] = []

  /// Objects that were not in the order, as they are now.
  package var inserted: [OrderedEntry] = []

  /// Changed objects that were in the order and are, with the same sort keys.
  package var modified: [OrderedEntry] = []

  /// Changed objects that were in the order and are, with other sort keys, or perhaps so.
  package var rekeyed: [Rekeyed] = []

  package init() {}

  package var isEmpty: Bool {
    removed.isEmpty && inserted.isEmpty && modified.isEmpty && rekeyed.isEmpty
  }
}
