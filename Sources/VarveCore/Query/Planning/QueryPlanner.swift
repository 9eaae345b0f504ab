import VarveEncoding
import VarveStorage

/// Chooses the cheapest plan for a condition on a class.
///
/// Among the conjuncts, the planner chooses the index range with the fewest objects, provided that
/// looking them up one by one costs less than reading the whole table in order. The remaining
/// conjuncts become the filter. In a disjunction, every alternative needs an index, or a conjunct
/// that has one. Estimates are read from the B+trees and cost a few pages each.
///
/// Thread safety: not thread-safe, like its reader.
struct QueryPlanner {
  private let model: ClassDescription
  private let schema: ClassSchema
  private let scope: ReadScope
  private let depth: Int

  /// The cost of looking up one object by id, as a multiple of reading one object in table order.
  private static let lookupCost = 6
  /// The number of objects that are always looked up one by one, whatever the size of the table.
  private static let fewObjects = 8
  /// The maximum number of links that a plan follows backwards.
  private static let mostLinks = 4

  init(_ model: ClassDescription, _ schema: ClassSchema, _ scope: ReadScope, depth: Int = 0) {
    self.model = model
    self.schema = schema
    self.scope = scope
    self.depth = depth
  }

  /// Returns the plan for a condition.
  ///
  /// - Complexity: O(``Condition/plannedParts``) estimates.
  func plan(_ condition: Condition) -> QueryPlan {
    let total = scope.reader.count(schema.table)
    let parts = condition.conjuncts
    var access = QueryPlan.Access.table
    var filter = condition
    var visited = total
    var found = condition.isAlways ? total : total / 3 + 1
    if parts.contains(where: { $0.constant == false }) {
      (access, filter, visited, found) = (.nothing, .always, 0, 0)
    } else if let best = bestRange(parts, total) {
      let rest = Condition.all(parts, except: best.parts)
      var cost = best.estimate * Self.lookupCost
      // Objects of a primary key range are adjacent in the table.
      if case .keys = best.range { cost = best.estimate }
      if rest.isAlways || cost <= total || best.estimate <= Self.fewObjects {
        (access, filter, visited) = (.range(best.range), rest, best.estimate)
        found = rest.isAlways ? visited : visited / 2 + 1
      }
    }
    return QueryPlan(
      model: model, schema: schema, access: access, filter: filter, condition: condition,
      visitedCount: visited, estimatedCount: found)
  }

  /// The range with the fewest objects, and the positions of the conjuncts that it satisfies.
  private func bestRange(
    _ parts: [Condition], _ total: Int
  ) -> (parts: Set<Int>, range: PlannedRange, estimate: Int)? {
    // Ranges of the same index are intersected.
    var joined: [(parts: Set<Int>, range: PlannedRange)] = []
    for (position, part) in parts.enumerated() {
      guard let (range, isExact) = range(for: part, total) else { continue }
      guard isExact else {
        joined.append(([], range))
        continue
      }
      for other in joined.indices {
        guard let both = joined[other].range.intersection(range) else { continue }
        joined[other].range = both
        joined[other].parts.insert(position)
        break
      }
      if !joined.contains(where: { $0.parts.contains(position) }) {
        joined.append(([position], range))
      }
    }
    var best: (parts: Set<Int>, range: PlannedRange, estimate: Int)?
    for (parts, range) in joined {
      let estimate = range.estimate(scope.reader)
      if best.map({ estimate < $0.estimate }) ?? true { best = (parts, range, estimate) }
    }
    return bestCompoundRange(parts, orElse: best)
  }

  /// The best range among the compound indexes and one other range. See ``bestRange(_:_:)``.
  private func bestCompoundRange(
    _ parts: [Condition],
    orElse other: (parts: Set<Int>, range: PlannedRange, estimate: Int)? = nil
  ) -> (parts: Set<Int>, range: PlannedRange, estimate: Int)? {
    guard scope.hasIndexes else { return other }
    var best = other
    for (parts, range) in CompoundRanges(parts, model, schema, scope).ranges() {
      let estimate = range.estimate(scope.reader)
      let isBetter =
        best.map {
          estimate < $0.estimate || estimate == $0.estimate && parts.count > $0.parts.count
        } ?? true
      if isBetter { best = (parts, range, estimate) }
    }
    return best
  }

  /// The number of objects that satisfy a condition, read from an index, if the condition is a
  /// single comparison of a property of the class itself. The result is that of
  /// ``QueryPlan/count(_:_:)``, without the estimates needed to compare plans.
  ///
  /// - Returns: nil for other conditions, and if counting requires finding the objects.
  /// - Throws: `.corrupted`.
  func indexedCount(_ condition: Condition) throws(Failure) -> Int? {
    guard let comparison = condition.comparison,
      let predicate = PropertyPredicate(comparison, in: scope.store),
      let property = predicate.ownProperty(model, in: schema), property.kind.type != .link
    else { return nil }
    switch predicate.kind {
    case .compared, .between:
      // Without the description of the range, which only plans need.
      if !isIntegerKey(property), let index = index(of: property) {
        return try predicate.indexRange(of: index)?.count(scope.reader)
      }
      return try ownRange(predicate, property)?.count(scope.reader)
    case .among, .text: return nil
    }
  }

  /// Splits a condition into the part that a range of an index satisfies and the rest.
  ///
  /// - Returns: nil if no conjunct is on the property of the index.
  func range(
    of index: PropertyIndex, for condition: Condition
  ) -> (PlannedRange, IndexRange, Condition)? {
    var found: PlannedRange?
    var rest: [Condition] = []
    for part in condition.conjuncts {
      guard let comparison = part.comparison,
        let predicate = PropertyPredicate(comparison, in: scope.store),
        let property = predicate.ownProperty(model, in: schema),
        schema.index(of: property, fileKey: scope.store.fileKey)?.id == index.id,
        let range = predicate.indexRange(of: index)
      else {
        rest.append(part)
        continue
      }
      let planned = PlannedRange.index(
        range, name: model.declaredName(of: property), text: .predicate(predicate))
      found = found?.intersection(planned) ?? planned
    }
    guard case .index(let range, _, _)? = found, let found else { return nil }
    return (found, range, Condition.all(rest))
  }

  // MARK: Ranges

  /// The range for a conjunct, and whether it contains only matching objects. Nil if no range is
  /// likely to cost less than visiting all objects.
  private func range(
    for part: Condition, _ total: Int
  ) -> (range: PlannedRange, isExact: Bool)? {
    if let comparison = part.comparison {
      return range(for: comparison, total).map { ($0, true) }
    }
    guard case .or = part.root.kind, let alternatives = part.disjuncts else { return nil }
    var ranges: [PlannedRange] = []
    var isExact = true
    for alternative in alternatives {
      if alternative.constant == false { continue }
      // A single candidate range needs no estimate.
      if let (range, answers) = range(for: alternative, total) {
        ranges.append(range)
        isExact = isExact && answers
        continue
      }
      let parts = alternative.conjuncts
      if parts.contains(where: { $0.constant == false }) { continue }
      let found =
        alternative.comparison == nil ? bestRange(parts, total) : bestCompoundRange(parts)
      guard let best = found else { return nil }
      if !Condition.all(parts, except: best.parts).isAlways { isExact = false }
      ranges.append(best.range)
    }
    return (ranges.count == 1 ? ranges[0] : .any(ranges), isExact)
  }

  private func range(for comparison: Condition.Comparison, _ total: Int) -> PlannedRange? {
    guard let predicate = PropertyPredicate(comparison, in: scope.store) else { return nil }
    if predicate.path.steps.isEmpty { return selfRange(predicate) }
    guard case .property(let name)? = predicate.path.steps.first,
      let slot = model.knownSlot(named: name),
      let property = schema.property(named: model.properties[slot].name)
    else { return nil }
    if predicate.path.steps.count == 1, property.kind.type != .link {
      return ownRange(predicate, property)
    }
    return linkingRange(comparison, predicate, property, slot, total)
  }

  /// A range for a comparison of the object itself (`SELF`).
  private func selfRange(_ predicate: PropertyPredicate) -> PlannedRange? {
    func objects(_ values: [Value]) -> PlannedRange {
      var ids: [UInt64] = []
      for case .link(let classID, let id) in values where classID == schema.id { ids.append(id) }
      IDSorting.sortUnique(&ids)
      return .objects(ids, schema.table, name: "SELF", text: .predicate(predicate))
    }
    switch predicate.kind {
    case .compared(.equal, let value): return objects([value])
    case .compared(.follows, .link(schema.id, let id)) where id < .max:
      return .keys(
        IntegerKeyRange(table: schema.table, lower: id + 1, upper: nil, isNothing: false),
        name: "SELF", text: .predicate(predicate))
    case .among(let values): return objects(values)
    default: return nil
    }
  }

  private func ownRange(
    _ predicate: PropertyPredicate, _ property: StoredProperty
  ) -> PlannedRange? {
    guard property.kind.collection == .none else { return nil }
    let name = model.declaredName(of: property)
    if isIntegerKey(property) { return keyRange(predicate, name) }
    if case .text(let query, _) = predicate.kind {
      guard scope.hasIndexes, !scope.mayContainMarks(property),
        let index = FullTextIndex(of: property, in: schema)
      else { return nil }
      return .words(index, query, name: name, text: .predicate(predicate))
    }
    guard let index = index(of: property) else { return nil }
    if case .among(let values) = predicate.kind {
      return .union(
        IndexUnion(valuesEqualToAny: values, of: index), name: name,
        text: .predicate(predicate))
    }
    return predicate.indexRange(of: index).map {
      .index($0, name: name, text: .predicate(predicate))
    }
  }

  /// Whether the ids of the objects are the values of the property.
  private func isIntegerKey(_ property: StoredProperty) -> Bool {
    property.isPrimaryKey && property.kind.isIntegerKey
  }

  /// The index of a property, if it has one that is used.
  private func index(of property: StoredProperty) -> PropertyIndex? {
    guard scope.hasIndexes, property.kind.collection == .none, !scope.mayContainMarks(property)
    else { return nil }
    return schema.index(of: property, fileKey: scope.store.fileKey)
  }

  private func keyRange(_ predicate: PropertyPredicate, _ name: String) -> PlannedRange? {
    let table = schema.table
    let range: IntegerKeyRange
    switch predicate.kind {
    case .compared(.equal, let value): range = .equal(to: value, of: table)
    case .among(let values):
      var ids: [UInt64] = []
      for value in values {
        let one = IntegerKeyRange.equal(to: value, of: table)
        if !one.isNothing { ids.append(one.lower) }
      }
      IDSorting.sortUnique(&ids)
      return .objects(ids, table, name: name, text: .predicate(predicate))
    case .compared, .between, .text:
      guard let bounds = predicate.bounds else { return nil }
      range = .between(bounds.lower, bounds.upper, of: table)
    }
    return .keys(range, name: name, text: .predicate(predicate))
  }

  /// A range that starts at the far end of a path: it finds the objects there, then the objects
  /// that link to them.
  private func linkingRange(
    _ comparison: Condition.Comparison, _ predicate: PropertyPredicate,
    _ property: StoredProperty, _ slot: Int, _ total: Int
  ) -> PlannedRange? {
    guard depth < Self.mostLinks, !predicate.matches(.null), property.kind.type == .link,
      let target = model.linkedClass(ofSlot: slot),
      let farSchema = scope.schema(of: target)
    else { return nil }
    var rest = predicate.path.steps.dropFirst()
    if property.kind.collection != .none {
      guard rest.first == .elements else { return nil }
      rest = rest.dropFirst()
    }
    var far = comparison
    if case .path = far.left {
      far.left = .path(QueryPath(Array(rest)))
    } else {
      far.right = .path(QueryPath(Array(rest)))
    }
    let farTotal = scope.reader.count(farSchema.table)
    let plan = QueryPlanner(target, farSchema, scope, depth: depth + 1).plan(.comparison(far))
    // Scanning a large class for a few of its objects costs more than following links.
    if case .table = plan.access, farTotal > total / 8 { return nil }
    return .linking(
      LinkingRange(
        farSchema: farSchema, farPlan: plan, schema: schema, property: property,
        name: model.declaredName(of: property),
        fanOut: Double(total) / Double(max(1, farTotal))))
  }
}

extension PropertyPredicate {
  /// The index range that contains exactly the objects that satisfy the comparison, or nil if there
  /// is none.
  func indexRange(of index: PropertyIndex) -> IndexRange? {
    switch kind {
    case .compared(.equal, let value): return .equal(to: value, of: index)
    case .compared(.notEqual, let value): return value.isNull ? .notNull(of: index) : nil
    case .compared(.beginsWith, let value): return .prefix(value, of: index)
    case .compared, .between, .among, .text: return bounds.map { .between($0, of: index) }
    }
  }
}
