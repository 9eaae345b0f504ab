import VarveEncoding
import VarveStorage

/// Which objects came into the answer of a query on a class between two versions, which left it, and which may stand
/// elsewhere in it.
///
/// All ids ascend.
///
/// Thread safety: one thread at a time.
struct Membership {
  /// The objects that were in the answer and are not, or do not exist any more.
  private(set) var removed: [UInt64] = []
  /// The objects that are in the answer and were not.
  private(set) var inserted: [UInt64] = []
  /// Objects of which the sort keys may have changed, whether they are in the answer or not.
  let resorted: [UInt64]
  private let after: ConditionRows

  /// - Returns: nil where so many objects may have come, gone or moved that running the query again costs less.
  /// - Throws: `.corrupted`, or `.unknownProperty` and `.invalidInput` for a path that the class does not have.
  /// - Complexity: O(changed and affected objects).
  init?(
    _ query: ObjectQuery, _ schema: ClassSchema, _ difference: VersionDifference, _ store: Store
  ) throws(Failure) {
    let own = try difference.objects(ofClass: schema.id)
    let affected = AffectedObjects(difference)
    let dependencies = try QueryDependencies(query, in: difference.schema)
    let tested = try affected.ids(of: schema, along: dependencies.condition)
    resorted = try affected.ids(of: schema, along: dependencies.order)
    let count = own.deleted.count + own.inserted.count + tested.count + resorted.count
    after = try ConditionRows(query, difference.new, store)
    guard count <= 64 + difference.new.count(schema.table) / 8 else { return nil }
    let before = try ConditionRows(query, difference.old, store)
    for id in own.deleted where try before.holds(id) { removed.append(id) }
    for id in own.inserted where try after.holds(id) { inserted.append(id) }
    // Those of one version are among them already.
    for id in tested where before.exists(id) && after.exists(id) {
      let wasMember = try before.holds(id)
      guard try after.holds(id) != wasMember else { continue }
      if wasMember { removed.append(id) } else { inserted.append(id) }
    }
    removed.sort()
    inserted.sort()
  }

  /// What happened to the objects of a sorted answer.
  ///
  /// - Parameters:
  ///   - old: the order of the old version.
  ///   - new: that of the new one.
  ///   - modified: the objects that count as modified, in the answer or not; ascending.
  /// - Returns: the edits.
  /// - Throws: `.corrupted`.
  /// - Complexity: O(k) for k objects that are named.
  func edits(
    from old: SortOrder, to new: SortOrder, modified: [UInt64]
  ) throws(Failure) -> OrderEdits {
    var edits = OrderEdits()
    for id in removed {
      edits.removed.append(OrderedEntry(prefix: try old.prefix(of: id), id: id))
    }
    for id in inserted {
      edits.inserted.append(OrderedEntry(prefix: try new.prefix(of: id), id: id))
    }
    for id in try staying(resorted) {
      edits.rekeyed.append(
        OrderEdits.Rekeyed(
          id: id, old: try old.prefix(of: id), new: try new.prefix(of: id),
          isWatched: modified.containsAscending(id)))
    }
    for id in try staying(modified) where !resorted.containsAscending(id) {
      edits.modified.append(OrderedEntry(prefix: try old.prefix(of: id), id: id))
    }
    return edits
  }

  /// Those of some objects that are in the answer in both versions.
  func staying(_ ids: [UInt64]) throws(Failure) -> [UInt64] {
    var staying: [UInt64] = []
    for id in ids where !inserted.containsAscending(id) && !removed.containsAscending(id) {
      if try after.holds(id) { staying.append(id) }
    }
    return staying
  }
}
