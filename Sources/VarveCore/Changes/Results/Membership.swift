import VarveEncoding
import VarveStorage

/// Which objects came into the answer of a query between two versions, which left it, and which changed in it.
///
/// All ids ascend; no object is in two of `removed`, `inserted` and `stayed`.
struct Membership {
  /// The objects that were in the answer and are not, or do not exist any more.
  private(set) var removed: [UInt64] = []
  /// The objects that are in the answer and were not.
  private(set) var inserted: [UInt64] = []
  /// The watched objects that were in the answer, and are, and have changed.
  private(set) var stayed: [UInt64] = []
  /// The objects that were in the answer, and are, and of which the sort keys may have changed.
  private(set) var resorted: [UInt64] = []

  /// - Throws: `.corrupted`, or `.unknownProperty` and `.invalidInput` for a path that the class does not have.
  /// - Complexity: O(changed and affected objects).
  init(
    _ query: ObjectQuery, _ schema: ClassSchema, _ difference: VersionDifference,
    _ watched: WatchedPaths, _ store: Store
  ) throws(Failure) {
    let own = try difference.objects(ofClass: schema.id)
    let affected = AffectedObjects(difference)
    let dependencies = try QueryDependencies(query, in: difference.schema)
    let before = try Test(query, schema, difference.old, store)
    let after = try Test(query, schema, difference.new, store)
    for id in own.deleted where try before.holds(id) { removed.append(id) }
    for id in own.inserted where try after.holds(id) { inserted.append(id) }
    // Objects of both versions that may have come or gone.
    var moved: [UInt64] = []
    if let path = dependencies.condition {
      for id in try affected.ids(of: schema, .paths(path)) {
        let wasMember = try before.holds(id)
        guard try after.holds(id) != wasMember else { continue }
        moved.append(id)
        if wasMember {
          // One that was deleted is among them already.
          if try after.exists(id) { removed.append(id) }
        } else if try before.exists(id) {
          inserted.append(id)
        }
      }
      removed.sort()
      inserted.sort()
    }
    stayed = try Self.members(
      try affected.ids(of: schema, watched), notIn: own.inserted, moved, by: after)
    if let path = dependencies.order {
      resorted = try Self.members(
        try affected.ids(of: schema, .paths(path)), notIn: own.inserted, moved, by: after)
    }
  }

  /// The ids that are in the answer in both versions.
  private static func members(
    _ ids: [UInt64], notIn inserted: [UInt64], _ moved: [UInt64], by test: Test
  ) throws(Failure) -> [UInt64] {
    var inserted = AscendingIDs(inserted)
    var moved = AscendingIDs(moved)
    var members: [UInt64] = []
    for id in ids where !inserted.contains(id) && !moved.contains(id) {
      if try test.holds(id) { members.append(id) }
    }
    return members
  }

  /// Asks the condition in one version.
  private struct Test {
    private let schema: ClassSchema
    private let snapshot: Snapshot
    /// nil: every object that exists is in the answer.
    private let evaluator: ConditionEvaluator?

    init(
      _ query: ObjectQuery, _ schema: ClassSchema, _ snapshot: Snapshot, _ store: Store
    ) throws(Failure) {
      self.schema = schema
      self.snapshot = snapshot
      evaluator =
        query.condition.isAlways
        ? nil
        : try ConditionEvaluator(
          query.condition, on: query.model, reader: snapshot, store: store)
    }

    func exists(_ id: UInt64) throws(Failure) -> Bool { snapshot.find(schema.table, id: id) != nil }

    func holds(_ id: UInt64) throws(Failure) -> Bool {
      guard let evaluator else { return try exists(id) }
      guard let row = try snapshot.row(schema, id) else { return false }
      return try evaluator.matches(row, id: id)
    }
  }
}

/// Ascending ids that are asked for ascending ids.
struct AscendingIDs: IteratorProtocol {
  private let ids: [UInt64]
  private var position = 0

  init(_ ids: [UInt64]) { self.ids = ids }

  mutating func next() -> UInt64? {
    guard position < ids.count else { return nil }
    defer { position += 1 }
    return ids[position]
  }

  /// Whether the id is among them. Ids ascend from call to call.
  ///
  /// - Complexity: O(1) amortised.
  mutating func contains(_ id: UInt64) -> Bool {
    while position < ids.count, ids[position] < id { position += 1 }
    return position < ids.count && ids[position] == id
  }
}
