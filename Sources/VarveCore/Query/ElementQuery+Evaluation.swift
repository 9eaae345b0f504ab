import VarveEncoding
package import VarveStorage

extension ElementQuery {
  /// The ids of the objects, in order.
  ///
  /// - Parameter limit: The maximum number of ids.
  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class lacks, or
  ///   `.corrupted`.
  /// - Complexity: That of the plan. O(objects of the source) if the source is not a class, plus
  ///   the sort.
  package func objectIDs(
    in scope: ReadScope, limit: Int = .max
  ) throws(Failure) -> [UInt64] {
    guard let schema = scope.schema(of: model), limit > 0 else { return [] }
    let needed = limitClause?.needed(for: limit) ?? limit
    guard needed > 0 else { return [] }
    var ids: [UInt64]
    if case .all = source, distinct.isEmpty {
      let plan = QueryPlanner(model, schema, scope).plan(condition)
      ids =
        sortKeys.isEmpty
        ? try plan.ids(scope, limit: needed)
        : try OrderedPlan(plan, sortKeys, scope).ids(limit: needed)
    } else {
      let isPlain = sortKeys.isEmpty && distinct.isEmpty
      ids = try listedIDs(schema, scope, isPlain ? needed : .max)
      for distinct in distinct { try distinct.apply(to: &ids, of: model, scope) }
      if !sortKeys.isEmpty { ids = try SortOrder(self, scope).sorted(ids) }
    }
    if let limitClause { ids = limitClause.slice(ids) }
    return ids.count > limit ? Array(ids.prefix(limit)) : ids
  }

  /// The number of objects.
  ///
  /// - Throws: The errors of ``objectIDs(in:limit:)``.
  /// - Complexity: O(1) for a whole class, that of the range where an index answers the whole
  ///   condition, otherwise that of the query.
  package func count(in scope: ReadScope) throws(Failure) -> Int {
    guard case .all = source, distinct.isEmpty else { return try objectIDs(in: scope).count }
    guard let schema = scope.schema(of: model) else { return 0 }
    let count: Int
    if let equal = scope.equalCount(condition, of: model, schema) {
      count = equal
    } else {
      count = try plannedCount(schema, scope)
    }
    guard let limitClause else { return count }
    return min(max(0, count - limitClause.offset), limitClause.limit ?? .max)
  }

  /// The number of objects that satisfy the condition, without the limit.
  private func plannedCount(_ schema: ClassSchema, _ scope: ReadScope) throws(Failure) -> Int {
    let planner = QueryPlanner(model, schema, scope)
    if let indexed = try planner.indexedCount(condition) { return indexed }
    return try planner.plan(condition).count(scope)
  }

  /// The ids of the objects of the source that satisfy the condition, in source order.
  private func listedIDs(
    _ schema: ClassSchema, _ scope: ReadScope, _ limit: Int
  ) throws(Failure) -> [UInt64] {
    let ids: [UInt64]
    switch source {
    case .all:
      return try QueryPlanner(model, schema, scope).plan(condition).ids(scope, limit: limit)
    case .collection(let collection): ids = try scope.objectIDs(of: collection)
    case .linking(let source): ids = try linkingIDs(source, schema, scope)
    case .query(let inner):
      ids = try inner.objectIDs(in: scope)
    }
    return try condition.filter(ids, limit, of: model, schema, in: scope)
  }

  private func linkingIDs(
    _ source: LinkingSource, _ schema: ClassSchema, _ scope: ReadScope
  ) throws(Failure) -> [UInt64] {
    guard !source.isRolledBack, let target = scope.schema(of: source.model),
      let property = schema.property(named: source.originPropertyName)
    else { return [] }
    let links = try scope.reader.incomingLinks(
      to: RowKey(classID: target.id, objectID: source.id), from: schema.id,
      property: property.id)
    return try scope.reader.originIDs(of: links, schema, property)
  }
}
