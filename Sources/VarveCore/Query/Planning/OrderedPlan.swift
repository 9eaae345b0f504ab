import VarveEncoding
import VarveStorage

/// The strategy that returns the objects of a plan in sort order.
///
/// Thread safety: not thread-safe, like its reader.
struct OrderedPlan {
  /// An index scan in key order, with the rest of the condition as a filter.
  struct Walk {
    let range: IndexRange
    /// The names of the index's properties.
    let name: String
    /// The part of the condition that the range satisfies, or nil for the whole index.
    let condition: PlannedRange?
    let filter: Condition
  }

  let plan: QueryPlan
  private let sortKeys: [ElementQuery.SortKey]
  private let scope: ReadScope
  /// The only sort property, if there is exactly one and it belongs to the class itself.
  private let sortProperty: StoredProperty?

  /// - Precondition: `sortKeys` is not empty, and the class has its properties.
  init(_ plan: QueryPlan, _ sortKeys: [ElementQuery.SortKey], _ scope: ReadScope) {
    self.plan = plan
    self.sortKeys = sortKeys
    self.scope = scope
    let isOne = sortKeys.count == 1 && sortKeys[0].path.count == 1
    sortProperty =
      isOne ? plan.model.storedProperty(named: sortKeys[0].path[0], in: plan.schema) : nil
  }

  /// The ids of the first objects in sort order. Ties are broken by ascending id.
  ///
  /// - Throws: `.unknownProperty` or `.invalidInput` for a sort key that the class lacks, or
  ///   `.corrupted`.
  func ids(limit: Int) throws(Failure) -> [UInt64] {
    if let walk = walk(limit: limit) { return try ids(walk, limit) }
    let isAscending = sortKeys[0].isAscending
    if isByKey {
      return isAscending ? try plan.ids(scope, limit: limit) : try plan.lastIDs(limit, scope)
    }
    // Keeping only the first entries does not pay off when all objects are requested.
    if case .table = plan.access, limit < plan.visitedCount / 4, let property = sortProperty,
      RowScan.sorts(by: property), !scope.mayContainMarks(property),
      let ids = try plan.scan(scope).firstIDs(
        sortedBy: property, isAscending: isAscending, limit: limit)
    {
      return ids
    }
    let order = try SortOrder(sortKeys, of: plan.model, scope)
    let ids = try plan.ids(scope)
    return limit < ids.count / 4 ? try order.first(limit, of: ids) : try order.sorted(ids)
  }

  /// Whether the objects are sorted by their integer primary key alone, which is the order of the
  /// table.
  var isByKey: Bool {
    sortProperty.map { $0.isPrimaryKey && $0.kind.isIntegerKey } ?? false
  }

  /// The index scan that yields the sort order, or nil if the objects must be collected first and
  /// then sorted.
  ///
  /// - Complexity: O(1), plus an estimate.
  func walk(limit: Int) -> Walk? {
    if case .nothing = plan.access { return nil }
    if let walk = compoundWalk(limit) { return walk }
    guard let property = sortProperty, sortKeys[0].collation == .bytes, scope.hasIndexes,
      !scope.mayContainMarks(property),
      let index = plan.schema.index(of: property, fileKey: scope.store.fileKey)
    else { return nil }
    let name = plan.model.declaredName(of: property)
    func walk(_ condition: PlannedRange?, _ range: IndexRange, _ filter: Condition) -> Walk {
      Walk(range: range, name: name, condition: condition, filter: filter)
    }
    switch plan.access {
    case .nothing: return nil
    case .range(let planned):
      guard case .index(let range, _, _) = planned, range.index.id == index.id else { break }
      return walk(planned, range, plan.filter)
    case .table:
      if plan.filter.isAlways { return walk(nil, .all(of: index), .always) }
    }
    // The number of objects visited until enough match, if the matches are spread evenly.
    let total = scope.reader.count(plan.schema.table)
    let met = Double(limit) * Double(total) / Double(max(1, plan.estimatedCount))
    guard limit < total, met * 4 < Double(plan.visitedCount) else { return nil }
    let planner = QueryPlanner(plan.model, plan.schema, scope)
    let (planned, range, rest) =
      planner.range(of: index, for: plan.condition) ?? (nil, .all(of: index), plan.condition)
    return mayPassTogether(rest, by: property) ? nil : walk(planned, range, rest)
  }

  /// Whether the objects that pass a filter may be adjacent in the order of a property. Many
  /// objects may then have to be visited before the first match.
  private func mayPassTogether(_ filter: Condition, by property: StoredProperty) -> Bool {
    func isTogether(_ part: Condition) -> Bool {
      guard let comparison = part.comparison else { return false }
      let predicate = PropertyPredicate(comparison, in: scope.store)
      return predicate?.isContiguous == true
        && predicate?.ownProperty(plan.model, in: plan.schema)?.id == property.id
    }
    return filter.conjuncts.contains { part in
      isTogether(part) || part.disjuncts?.allSatisfy(isTogether) == true
    }
  }

  /// The range of a compound index that yields the sort order: the index ends with the sort
  /// properties, and its other properties are compared for equality with constants.
  private func compoundWalk(_ limit: Int) -> Walk? {
    guard let sorted = sortProperties(), scope.hasIndexes else { return nil }
    let parts = plan.condition.conjuncts
    var best: (walk: Walk, visited: Double)?
    let ranges = CompoundRanges(parts, plan.model, plan.schema, scope).ranges(
      orderedBy: sorted)
    for (answered, planned) in ranges {
      guard case .index(let range, let name, _) = planned else { continue }
      let filter = Condition.all(parts, except: answered)
      let count = Double(planned.estimate(scope.reader))
      // The requested number of objects, plus the objects between them that the filter rejects, if
      // the matches are spread evenly.
      var visited = count
      if filter.isAlways {
        visited = min(count, Double(limit))
      } else if !mayPassTogether(filter, by: sorted[0]) {
        visited = min(count, Double(limit) * count / Double(max(1, plan.estimatedCount)))
      }
      guard filter.isAlways || visited * 4 < Double(plan.visitedCount) else { continue }
      if best.map({ visited < $0.visited }) ?? true {
        let condition = answered.isEmpty ? nil : planned
        best = (Walk(range: range, name: name, condition: condition, filter: filter), visited)
      }
    }
    return best?.walk
  }

  /// The sort properties, if an index can have their order: all keys must sort in one direction.
  private func sortProperties() -> [StoredProperty]? {
    var properties: [StoredProperty] = []
    for key in sortKeys {
      guard key.path.count == 1, key.collation == .bytes,
        key.isAscending == sortKeys[0].isAscending,
        let property = plan.model.storedProperty(named: key.path[0], in: plan.schema)
      else { return nil }
      properties.append(property)
    }
    return properties
  }

  private func ids(_ walk: Walk, _ limit: Int) throws(Failure) -> [UInt64] {
    let isAscending = sortKeys[0].isAscending
    if walk.filter.isAlways {
      return try walk.range.firstIDs(limit, scope.reader, ascending: isAscending)
    }
    let reader = scope.reader
    let evaluator = try ConditionEvaluator(walk.filter, on: plan.model, in: scope)
    var ids: [UInt64] = []
    try walk.range.walk(reader, ascending: isAscending) { (id) throws(Failure) in
      if let row = try reader.row(plan.schema, id), try evaluator.matches(row, id: id) {
        ids.append(id)
      }
      return ids.count < limit
    }
    return ids
  }
}

extension ClassDescription {
  /// The stored property with a declared name, or nil if the file does not contain it yet.
  func storedProperty(named name: String, in schema: ClassSchema) -> StoredProperty? {
    guard let slot = knownSlot(named: name) else { return nil }
    return schema.property(named: properties[slot].name, near: slot)
  }
}

extension SortOrder {
  /// The first objects in sort order. Ties are broken by position.
  ///
  /// - Complexity: O(n), plus O(log k) for each object that ranks among the first k seen so far.
  func first(_ limit: Int, of ids: [UInt64]) throws(Failure) -> [UInt64] {
    var kept: [(prefix: UInt64, position: Int)] = []
    var failure: Failure?
    func precedes(
      _ a: (prefix: UInt64, position: Int), _ b: (prefix: UInt64, position: Int)
    ) -> Bool {
      if a.prefix != b.prefix { return a.prefix < b.prefix }
      do throws(Failure) {
        let order = try compare(ids[a.position], ids[b.position])
        return order == .equal ? a.position < b.position : order == .ascending
      } catch {
        failure = failure ?? error
        return a.position < b.position
      }
    }
    let room = max(2 * limit, 256)
    var last = UInt64.max
    for position in ids.indices {
      let prefix = try prefix(of: ids[position])
      if prefix > last { continue }
      kept.append((prefix, position))
      guard kept.count == room else { continue }
      kept.sort(by: precedes)
      kept.removeSubrange(limit...)
      last = kept[kept.count - 1].prefix
    }
    kept.sort(by: precedes)
    if let failure { throw failure }
    return kept.prefix(limit).map { ids[$0.position] }
  }
}
