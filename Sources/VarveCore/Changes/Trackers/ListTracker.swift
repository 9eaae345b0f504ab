import VarveEncoding
import VarveStorage

/// Observes a list or a set.
///
/// The first change of an object in a list reads all elements. The second one sorts them by their
/// objects. From then on each costs O(log n), and an element takes about 50 bytes; see
/// ``PositionedElements``.
struct ListTracker: OrderedTracker {
  private var list: OwnedCollection
  private let watched: WatchedPathNames
  /// The elements of a list of objects, used to find the changed ones; nil before the first change
  /// of an object.
  private var elements: PositionedElements?

  /// - Parameters:
  ///   - list: The list or set.
  ///   - store: The store that contains it.
  ///   - watched: The paths whose changes in its objects count.
  init(_ list: CollectionIdentity, _ store: StoreFile, _ watched: WatchedPathNames) {
    self.list = OwnedCollection(list, store)
    self.watched = watched
  }

  var subject: String {
    "the \(list.identity.kind == .set ? "set" : "list") \(list.identity.description)"
  }

  mutating func start(at snapshot: Snapshot) throws(Failure) -> Bool {
    elements = nil
    return try list.start(at: snapshot)
  }

  mutating func advance(
    _ difference: VersionDifference
  ) throws(Failure) -> TrackerUpdate<IndexChanges> {
    var changes = IndexChanges()
    switch try list.advance(difference) {
    case .absent: return .none
    case .deleted(let before):
      changes.deletions.append(0..<before.count)
      return .end(changes)
    case .present(let stored, let before, let after):
      if stored.mayDiffer(before, after) {
        changes = try stored.indexChanges(difference, before, after)
        try follow(stored, changes, after, in: difference.new)
      }
      if let elementModel = list.identity.elementModel {
        let paths = try watched.paths(of: elementModel, in: difference.schema)
        let affected = try stored.affectedElements(difference, in: after, paths)
        changes.addModifications(at: indexes(of: affected, stored, after, in: difference.new))
      }
      let mixed = try AffectedElements(stored, after, difference)
      if !mixed.isEmpty {
        changes.addModifications(at: stored.indexes(of: mixed, in: after, difference.new))
      }
      return changes.isEmpty ? .none : .change(changes)
    }
  }

  /// Updates the elements to the list's new version.
  private mutating func follow(
    _ list: StoredCollection, _ changes: IndexChanges, _ after: CollectionContent,
    in snapshot: Snapshot
  ) throws(Failure) {
    guard var elements else { return }
    // Cleared so that the elements are edited in place, and left nil if reading them again costs
    // less.
    self.elements = nil
    let found = try list.replacements(changes, after, in: snapshot)
    guard found.count <= 64 + elements.count / 8, elements.replace(found) != nil else { return }
    self.elements = elements
  }

  /// Returns the indexes of objects that are in the list or set.
  private mutating func indexes(
    of objects: [UInt64], _ list: StoredCollection, _ content: CollectionContent,
    in snapshot: Snapshot
  ) -> IndexRanges {
    if objects.isEmpty { return IndexRanges() }
    if list.property.kind.collection == .set {
      return snapshot.indexes(of: objects, inSet: content, list.property)
    }
    var elements = elements ?? PositionedElements(snapshot.listTargets(of: content, list.property))
    defer { self.elements = elements }
    return elements.indexes(of: objects)
  }
}
