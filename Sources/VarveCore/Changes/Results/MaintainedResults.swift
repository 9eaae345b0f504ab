import VarveEncoding
import VarveStorage

/// The objects of a class that satisfy a condition, in an order, in one version; and how that changes from
/// version to version.
///
/// Going on to another version looks at the objects that changed, and at those that the condition or the order
/// reads over links: the query is not run again.
///
/// Copies share what they have in common, so that observers may stand at different versions: going on copies the
/// nodes on the ways to what changed, once each, whoever holds the version before.
///
/// Thread safety: a value.
struct MaintainedResults: Sendable {
  private enum Order: Sendable {
    case byID(IDSet)
    case sorted(OrderedIDs)
  }

  private let query: ObjectQuery
  private let store: Store
  private var order: Order

  /// Runs the query in one version.
  ///
  /// - Throws: as `ObjectQuery.objectIDs`.
  /// - Complexity: O(objects), plus the sort.
  /// - Precondition: the objects come from the whole class.
  init(_ query: ObjectQuery, in snapshot: Snapshot, of store: Store) throws(Failure) {
    self.query = query
    self.store = store
    var unsorted = query
    unsorted.sortKeys = []
    let ids = try unsorted.objectIDs(in: snapshot, schema: store.schema, store: store)
    if query.sortKeys.isEmpty {
      order = .byID(IDSet(ids))
      return
    }
    let sort = try SortOrder(query, snapshot, store)
    var entries: [OrderedIDs.Entry] = []
    entries.reserveCapacity(ids.count)
    for id in ids { entries.append(OrderedIDs.Entry(prefix: try sort.prefix(of: id), id: id)) }
    order = .sorted(try OrderedIDs(sorting: entries, by: sort.compare))
  }

  var count: Int {
    switch order {
    case .byID(let ids): ids.count
    case .sorted(let entries): entries.count
    }
  }

  /// The id of the object at a place.
  ///
  /// - Precondition: the index is in `0..<count`.
  /// - Complexity: O(log n).
  subscript(index: Int) -> UInt64 {
    switch order {
    case .byID(let ids): ids[index]
    case .sorted(let entries): entries[index].id
    }
  }

  /// The ids of all objects, in order.
  var ids: [UInt64] {
    switch order {
    case .byID(let ids): Array(ids)
    case .sorted(let entries): entries.map(\.id)
    }
  }

  /// Goes on to the new version of a difference.
  ///
  /// - Parameters:
  ///   - difference: leads from the version of these results to another one.
  ///   - watched: what counts as a modification of an object.
  /// - Returns: what changed.
  /// - Throws: `.corrupted`; then the results are as before.
  /// - Complexity: O(changes · log n), and the objects that link to what changed.
  mutating func advance(
    _ difference: VersionDifference, watching watched: WatchedPaths
  ) throws(Failure) -> IndexChanges {
    guard let schema = difference.schema.schema(named: query.model.name) else {
      return IndexChanges()
    }
    let step = try Membership(query, schema, difference, watched, store)
    switch order {
    case .byID(var ids):
      let changes = ids.apply(
        removed: step.removed, inserted: step.inserted, modified: step.stayed)
      order = .byID(ids)
      return changes
    case .sorted(let entries):
      return try advance(entries, step, difference)
    }
  }

  private mutating func advance(
    _ entries: OrderedIDs, _ step: Membership, _ difference: VersionDifference
  ) throws(Failure) -> IndexChanges {
    let old = try SortOrder(query, difference.old, store)
    let new = try SortOrder(query, difference.new, store)
    var edits = OrderEdits<UInt64>()
    for id in step.removed {
      edits.removed.append(OrderedIDs.Entry(prefix: try old.prefix(of: id), id: id))
    }
    for id in step.inserted {
      edits.inserted.append(OrderedIDs.Entry(prefix: try new.prefix(of: id), id: id))
    }
    var modified = AscendingIDs(step.stayed)
    for id in step.resorted {
      edits.rekeyed.append(
        OrderEdits.Rekeyed(id: id, old: try old.prefix(of: id), new: try new.prefix(of: id)))
    }
    var resorted = AscendingIDs(step.resorted)
    while let id = modified.next() {
      if resorted.contains(id) { continue }
      edits.modified.append(OrderedIDs.Entry(prefix: try old.prefix(of: id), id: id))
    }
    var entries = entries
    let changes = try entries.apply(edits, old: old.compare, new: new.compare)
    order = .sorted(entries)
    return changes
  }
}
