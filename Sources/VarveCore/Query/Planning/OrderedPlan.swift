import VarveEncoding
import VarveStorage

/// How the objects of a plan are put into an order.
///
/// Thread safety: one thread at a time, as the reader.
struct OrderedPlan {
  /// An index scan in key order, with the rest of the condition as a filter.
  struct Walk {
    let range: IndexRange
    /// The properties of the index.
    let name: String
    /// What of the condition the range stands for; nil for the whole index.
    let condition: PlannedRange?
    let filter: Condition
  }

  let plan: QueryPlan
  private let sortKeys: [ElementQuery.SortKey]
  private let scope: ReadScope
  /// The property that the objects are sorted by, where it is one alone, and one of the class itself.
  private let sortProperty: StoredProperty?

  /// - Precondition: there are sort keys, which the class has.
  init(_ plan: QueryPlan, _ sortKeys: [ElementQuery.SortKey], _ scope: ReadScope) {
    self.plan = plan
    self.sortKeys = sortKeys
    self.scope = scope
    let isOne = sortKeys.count == 1 && sortKeys[0].path.count == 1
    sortProperty =
      isOne ? plan.model.storedProperty(named: sortKeys[0].path[0], in: plan.schema) : nil
  }

  /// The ids of the first objects, in order; ties by ascending ids.
  ///
  /// - Throws: `.unknownProperty` or `.invalidInput` for a key that the class does not have, or `.corrupted`.
  func ids(limit: Int) throws(Failure) -> [UInt64] {
    if let walk = walk(limit: limit) { return try ids(walk, limit) }
    let isAscending = sortKeys[0].isAscending
    if isByKey {
      return isAscending ? try plan.ids(scope, limit: limit) : try plan.lastIDs(limit, scope)
    }
    // Not where all are wanted.
    if case .table = plan.access, limit < plan.visitedCount / 4, let property = sortProperty,
      RowScan.sorts(by: property),
      let ids = try plan.scan(scope).firstIDs(
        sortedBy: property, isAscending: isAscending, limit: limit)
    {
      return ids
    }
    let order = try SortOrder(sortKeys, of: plan.model, scope)
    let ids = try plan.ids(scope)
    return limit < ids.count / 4 ? try order.first(limit, of: ids) : try order.sorted(ids)
  }

  /// Whether the objects are wanted by their integer primary key alone, whose order is that of the class.
  var isByKey: Bool {
    sortProperty.map { $0.isPrimaryKey && $0.kind.isIntegerKey } ?? false
  }

  /// The index scan that has the order; nil where the objects are found first, and sorted.
  ///
  /// - Complexity: O(1), and an estimate.
  func walk(limit: Int) -> Walk? {
    if case .nothing = plan.access { return nil }
    if let walk = compoundWalk(limit) { return walk }
    guard let property = sortProperty, sortKeys[0].collation == .bytes, scope.hasIndexes,
      let index = plan.schema.index(of: property, fileKey: scope.store.fileKey)
    else { return nil }
    let name = property.name
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
    // How many objects are met before there are enough, if those sought are spread evenly.
    let total = scope.reader.count(plan.schema.table)
    let met = Double(limit) * Double(total) / Double(max(1, plan.estimatedCount))
    guard limit < total, met * 4 < Double(plan.visitedCount) else { return nil }
    let planner = QueryPlanner(plan.model, plan.schema, scope)
    let (planned, range, rest) =
      planner.range(of: index, for: plan.condition) ?? (nil, .all(of: index), plan.condition)
    return mayPassTogether(rest, by: name) ? nil : walk(planned, range, rest)
  }

  /// Whether a filter may pass objects that stand together in the order of a property: many may have to be met before the
  /// first of them.
  private func mayPassTogether(_ filter: Condition, by name: String) -> Bool {
    func isTogether(_ part: Condition) -> Bool {
      guard let comparison = part.comparison else { return false }
      let predicate = PropertyPredicate(comparison, in: scope.store)
      return predicate?.isContiguous == true
        && predicate?.ownProperty(plan.model, in: plan.schema)?.name == name
    }
    return filter.conjuncts.contains { part in
      isTogether(part) || part.disjuncts?.allSatisfy(isTogether) == true
    }
  }

  /// The range of an index over several properties that has the objects in the order wanted: the last properties are
  /// those that the objects are sorted by, and the others have to be equal to constants.
  private func compoundWalk(_ limit: Int) -> Walk? {
    guard let sorted = sortProperties(), scope.hasIndexes else { return nil }
    let parts = plan.condition.conjuncts
    var best: (walk: Walk, visited: Double)?
    let ranges = CompoundRanges(parts, plan.model, plan.schema, scope.store).ranges(
      orderedBy: sorted)
    for (answered, planned) in ranges {
      guard case .index(let range, let name, _) = planned else { continue }
      let filter = Condition.all(parts, except: answered)
      let count = Double(planned.estimate(scope.reader))
      // As many as are wanted, and those between them that the filter refuses, if they are spread evenly.
      var visited = count
      if filter.isAlways {
        visited = min(count, Double(limit))
      } else if !mayPassTogether(filter, by: sorted[0].name) {
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

  /// The properties that the objects are sorted by, where indexes may have their order: all in one direction.
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
  /// The property of a name that a file stores; nil where it does not know it yet.
  func storedProperty(named name: String, in schema: ClassSchema) -> StoredProperty? {
    guard let slot = try? slot(named: name) else { return nil }
    return schema.property(named: properties[slot].name)
  }
}

extension SortOrder {
  /// The first of some objects, in order; ties by their places.
  ///
  /// - Complexity: O(n), and O(log k) for each that is among the first k so far.
  func first(_ limit: Int, of ids: [UInt64]) throws(Failure) -> [UInt64] {
    var kept: [(prefix: UInt64, place: Int)] = []
    var failure: Failure?
    func precedes(_ a: (prefix: UInt64, place: Int), _ b: (prefix: UInt64, place: Int)) -> Bool {
      if a.prefix != b.prefix { return a.prefix < b.prefix }
      do throws(Failure) {
        let order = try compare(ids[a.place], ids[b.place])
        return order == .equal ? a.place < b.place : order == .ascending
      } catch {
        failure = failure ?? error
        return a.place < b.place
      }
    }
    let room = max(2 * limit, 256)
    var last = UInt64.max
    for place in ids.indices {
      let prefix = try prefix(of: ids[place])
      if prefix > last { continue }
      kept.append((prefix, place))
      guard kept.count == room else { continue }
      kept.sort(by: precedes)
      kept.removeSubrange(limit...)
      last = kept[kept.count - 1].prefix
    }
    kept.sort(by: precedes)
    if let failure { throw failure }
    return kept.prefix(limit).map { ids[$0.place] }
  }
}
