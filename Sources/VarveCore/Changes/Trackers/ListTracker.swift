import VarveEncoding
import VarveStorage

/// Observes a list or a set.
///
/// The first change of an object in a list costs a look at all elements, the second one sorting them by their objects,
/// and from then on each costs O(log n), and an element some 50 bytes; see ``PositionedElements``.
struct ListTracker: OrderedTracker {
  private var list: OwnedCollection
  private let watched: WatchedPathNames
  /// The elements of a list of objects, to find those that have changed; nil before the first has.
  private var elements: PositionedElements?

  /// - Parameters:
  ///   - list: the list or set.
  ///   - store: the store that it belongs to.
  ///   - watched: which changes of objects in it count.
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
  ) throws(Failure) -> TrackerStep<IndexChanges> {
    var changes = IndexChanges()
    switch try list.advance(difference) {
    case .absent: return .none
    case .gone(let before):
      changes.deletions.append(0..<Int(before.count))
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

  /// Has the elements follow the list.
  private mutating func follow(
    _ list: StoredCollection, _ changes: IndexChanges, _ after: CollectionSlot,
    in snapshot: Snapshot
  ) throws(Failure) {
    guard var elements else { return }
    // Given up, so that they are edited where they are; and for good where reading them anew costs less.
    self.elements = nil
    let found = try list.replacements(changes, after, in: snapshot)
    guard found.count <= 64 + elements.count / 8, elements.replace(found) != nil else { return }
    self.elements = elements
  }

  /// The indexes of some objects that are in the list or set.
  private mutating func indexes(
    of objects: [UInt64], _ list: StoredCollection, _ slot: CollectionSlot, in snapshot: Snapshot
  ) -> IndexRanges {
    if objects.isEmpty { return IndexRanges() }
    if list.property.kind.collection == .set {
      return snapshot.indexes(of: objects, inSet: slot, list.property)
    }
    var elements = elements ?? PositionedElements(snapshot.listTargets(of: slot, list.property))
    defer { self.elements = elements }
    return elements.indexes(of: objects)
  }
}
