package import VarveCore

/// The difference between two versions of an ordered collection.
///
/// All indexes are in ascending order. To turn the old collection into the new one, remove the
/// deletions from the highest index to the lowest, then insert the insertions in ascending order.
/// The contents of modified elements may still differ.
public struct CollectionChanges: Hashable, Sendable {
  /// An object that moved to another index. A move is also reported as a deletion and an insertion.
  public struct Move: Hashable, Sendable {
    /// The index in the old collection.
    public let from: Int
    /// The index in the new collection.
    public let to: Int
  }

  /// The indexes, in the old collection, of elements that are not in the new one.
  public let deletions: [Int]
  /// The indexes, in the new collection, of elements that were not in the old one.
  public let insertions: [Int]
  /// The indexes, in the old collection, of elements that are in both collections and changed. In a
  /// list of values, an index whose value was replaced is a modification. An object is modified
  /// when a watched property of the object, or of an object that it links to, changed.
  public let modifications: [Int]
  /// The indexes, in the new collection, of the elements in `modifications`, in the same order.
  public let newModifications: [Int]
  /// The moved objects, in ascending order of `to`.
  public let moves: [Move]

  package init(_ changes: IndexChanges) {
    deletions = Array(changes.deletions)
    insertions = Array(changes.insertions)
    modifications = Array(changes.modifications)
    newModifications = Array(changes.newModifications)
    moves = changes.moves.map { Move(from: $0.from, to: $0.to) }
  }

  /// Whether the two versions are equal.
  public var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}

/// The difference between two versions of a map. Keys are in ascending order.
public struct MapChanges: Hashable, Sendable {
  /// The keys that are only in the old version.
  public let deletions: [String]
  /// The keys that are only in the new version.
  public let insertions: [String]
  /// The keys whose value was replaced, or whose object was modified: a watched property of the
  /// object, or of an object that it links to, changed.
  public let modifications: [String]

  package init(_ change: KeyChanges) {
    deletions = change.deletions
    insertions = change.insertions
    modifications = change.modifications
  }

  /// Whether the two versions are equal.
  public var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}

/// An element of a sequence of changes to a collection.
///
/// The collection is frozen at the version after the change.
public enum Change<Collection: Sendable, Changes: Sendable>: Sendable {
  /// The whole state. The reason is nil for the first element.
  case initial(Collection, reason: RestartReason?)
  /// The changes since the previous element.
  case update(Collection, Changes)

  /// The frozen collection.
  public var collection: Collection {
    switch self {
    case .initial(let collection, _), .update(let collection, _): collection
    }
  }
}
