package import VarveCore

/// How an ordered collection differs between two versions. All indexes ascend.
///
/// Taking the deletions away from the old collection, from the back, and putting in the insertions in ascending
/// order gives the new one, but for what the modified elements hold.
///
/// Thread safety: a value.
public struct CollectionChanges: Hashable, Sendable {
  /// An object that left one place and stands at another one. Both are a deletion and an insertion too.
  public struct Move: Hashable, Sendable {
    /// The place in the old collection.
    public let from: Int
    /// The place in the new collection.
    public let to: Int
  }

  /// Places in the old collection of what is not in the new one.
  public let deletions: [Int]
  /// Places in the new collection of what was not in the old one.
  public let insertions: [Int]
  /// Places in the old collection of what is in both and has changed. A value of a list that is another one at its
  /// place counts so, and an object of which, or of what it links to, a watched property changed.
  public let modifications: [Int]
  /// Places in the new collection of the same elements as `modifications`, in the same order.
  public let newModifications: [Int]
  /// In the order of `to`.
  public let moves: [Move]

  package init(_ changes: IndexChanges) {
    deletions = Array(changes.deletions)
    insertions = Array(changes.insertions)
    modifications = Array(changes.modifications)
    newModifications = Array(changes.newModifications)
    moves = changes.moves.map { Move(from: $0.from, to: $0.to) }
  }

  /// Whether nothing differs.
  public var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}

/// How a map differs between two versions. Keys are in order.
///
/// Thread safety: a value.
public struct MapChanges: Hashable, Sendable {
  /// The keys that only the old version has.
  public let deletions: [String]
  /// The keys that only the new version has.
  public let insertions: [String]
  /// The keys with another value; and with an object of which, or of what it links to, a watched property changed.
  public let modifications: [String]

  package init(_ change: KeyChanges) {
    deletions = change.deletions
    insertions = change.insertions
    modifications = change.modifications
  }

  /// Whether nothing differs.
  public var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}

/// An element of a sequence of changes.
///
/// The collection, a frozen one, is that of the version which the change leads to.
public enum Change<Collection: Sendable, Changes: Sendable>: Sendable {
  /// The state; the reason is nil for the first element.
  case initial(Collection, reason: RestartReason?)
  /// What changed since the element before.
  case update(Collection, Changes)

  /// The collection.
  public var collection: Collection {
    switch self {
    case .initial(let collection, _), .update(let collection, _): collection
    }
  }
}
