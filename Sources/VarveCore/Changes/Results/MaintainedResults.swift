import VarveEncoding
import VarveStorage

/// The objects of a class that satisfy a condition, in an order, in one version; and how that changes from
/// version to version.
///
/// Going on to another version looks at the objects that changed, and at those that the condition or the order
/// reads over links. The query is run again where that is more than an eighth of the class, as when an object that
/// all others link to has changed, and where the file's schema has: properties that it learns of may read
/// otherwise in old rows.
///
/// Copies share what they have in common, so that observers may stand at different versions: going on copies the
/// nodes on the ways to what changed, once each, whoever holds the version before. A million objects cost 128 KiB if
/// their ids are dense and nothing sorts them, and some 17 MB sorted.
///
/// Thread safety: a value.
struct MaintainedResults: Sendable {
  private enum Order: Sendable {
    case byID(IDSet)
    case sorted(OrderedIDs)
  }

  private let query: ObjectQuery
  private var order: Order
  /// The generation of the schema that the objects were read by.
  let generation: UInt64
  private(set) var isKeptUp = false

  /// Runs the query in one version.
  ///
  /// - Throws: as `ObjectQuery.objectIDs`.
  /// - Complexity: O(objects), plus the sort.
  /// - Precondition: the objects come from the whole class.
  init(_ query: ObjectQuery, in snapshot: Snapshot, of store: Store) throws(Failure) {
    self.query = query
    let schema = store.schema
    generation = schema.generation
    var unsorted = query
    unsorted.sortKeys = []
    let ids = try unsorted.objectIDs(in: snapshot, schema: schema, store: store)
    if query.sortKeys.isEmpty {
      order = .byID(IDSet(ids))
      return
    }
    let sort = try SortOrder(query, snapshot, store)
    var entries: [OrderedEntry] = []
    entries.reserveCapacity(ids.count)
    for index in try query.sortedIndexes(of: ids, snapshot, store) {
      let id = ids[index]
      entries.append(OrderedEntry(prefix: try sort.prefix(of: id), id: id))
    }
    order = .sorted(OrderedIDs(inOrder: entries))
  }

  /// Goes on to the new version of a difference.
  ///
  /// - Parameters:
  ///   - difference: leads from the version of these results to another one.
  ///   - watched: what counts as a modification of an object.
  ///   - store: the store of both.
  /// - Returns: what changed.
  /// - Throws: `.corrupted`; then the results are as before.
  /// - Complexity: O(changes · log n), and the objects that link to what changed; as the query, where it is run again.
  mutating func advance(
    _ difference: VersionDifference, watching watched: WatchedPaths, of store: Store
  ) throws(Failure) -> IndexChanges {
    guard let schema = store.schema(of: query.model, in: difference.schema, difference.new) else {
      return IndexChanges()
    }
    let modified = try AffectedObjects(difference).ids(of: schema, watched)
    if let changes = try follow(difference, schema, modified, store) {
      isKeptUp = true
      return changes
    }
    let old = self
    self = try MaintainedResults(query, in: difference.new, of: store)
    var changes = IndexChanges(from: old.ids, to: ids, modified: modified)
    if !query.sortKeys.isEmpty { changes.findMoves(from: old.ids, to: ids) }
    return changes
  }

  /// Goes on by what changed.
  ///
  /// - Returns: nil where the query must be run again; then the results are as before.
  private mutating func follow(
    _ difference: VersionDifference, _ schema: ClassSchema, _ modified: [UInt64], _ store: Store
  ) throws(Failure) -> IndexChanges? {
    guard generation == store.schema.generation,
      let step = try Membership(query, schema, difference, store)
    else { return nil }
    switch order {
    case .byID(var ids):
      let changes = ids.apply(
        removed: step.removed, inserted: step.inserted, modified: modified)
      order = .byID(ids)
      return changes
    case .sorted(var entries):
      let old = try SortOrder(query, difference.old, store)
      let new = try SortOrder(query, difference.new, store)
      let edits = try step.edits(from: old, to: new, modified: modified)
      guard let changes = try entries.apply(edits, old: old.compare, new: new.compare) else {
        return nil
      }
      order = .sorted(entries)
      return changes
    }
  }
}

extension MaintainedResults: ObjectSequence {
  var count: Int {
    switch order {
    case .byID(let ids): ids.count
    case .sorted(let entries): entries.count
    }
  }

  subscript(index: Int) -> UInt64 {
    switch order {
    case .byID(let ids): ids[index]
    case .sorted(let entries): entries[index].id
    }
  }

  var ids: [UInt64] {
    switch order {
    case .byID(let ids): Array(ids)
    case .sorted(let entries): entries.map(\.id)
    }
  }
}
