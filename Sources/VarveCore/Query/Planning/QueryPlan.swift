import VarveEncoding
import VarveStorage

/// How the objects of a class are found that satisfy a condition.
///
/// Thread safety: an immutable value.
struct QueryPlan: Sendable {
  enum Access: Sendable {
    /// Nothing is read.
    case nothing
    /// Every object.
    case table
    case range(PlannedRange)
  }

  let model: ClassDescription
  let schema: ClassSchema
  let access: Access
  /// What is asked of each object that was found that way.
  let filter: Condition
  /// What is asked in all.
  let condition: Condition
  /// About how many objects are visited.
  let visitedCount: Int
  /// About how many objects there will be.
  let estimatedCount: Int

  /// The number of objects, where it can be told without finding them.
  ///
  /// - Throws: as ``ids(_:limit:)``.
  func count(_ scope: ReadScope) throws(Failure) -> Int {
    switch access {
    case .nothing: return 0
    case .table:
      if filter.isAlways { return scope.reader.count(schema.table) }
      return try scan(scope).count()
    case .range(let range):
      if filter.isAlways, let count = try range.count(scope.reader) { return count }
      if case .keys(let range, _, _) = range {
        guard let ids = range.idRange else { return 0 }
        return try scan(scope, within: ids).count()
      }
      return try ids(scope).count
    }
  }

  /// The ids of the objects, ascending.
  ///
  /// `limit`: stop after this many.
  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class does not have, or `.corrupted`.
  func ids(_ scope: ReadScope, limit: Int = .max) throws(Failure) -> [UInt64] {
    let plan = limited(to: limit, scope.reader)
    switch plan.access {
    case .nothing: return []
    case .table:
      if plan.filter.isAlways, limit == .max { return scope.reader.objectIDs(of: schema) }
      return try plan.scan(scope).ids(limit: limit)
    case .range(.keys(let range, _, _)) where limit < .max || !plan.filter.isAlways:
      guard let ids = range.idRange else { return [] }
      return try plan.scan(scope, within: ids).ids(limit: limit)
    case .range(let range):
      return try plan.filter.filter(try range.ids(scope), limit, of: model, schema, in: scope)
    }
  }

  /// A visit of the objects of a range of ids, which asks each of them.
  ///
  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class does not have.
  /// - Complexity: O(size of the filter).
  func scan(
    _ scope: ReadScope, within ids: ClosedRange<UInt64> = 0...UInt64.max
  ) throws(Failure) -> RowScan {
    let test = filter.isAlways ? nil : try RowTest(filter, on: model, schema, scope)
    return RowScan(scope.reader, schema, test: test, ids: ids)
  }

  /// The ids of the last objects, descending.
  ///
  /// - Throws: as ``ids(_:limit:)``.
  func lastIDs(_ limit: Int, _ scope: ReadScope) throws(Failure) -> [UInt64] {
    let plan = limited(to: limit, scope.reader)
    switch plan.access {
    case .nothing: return []
    case .table: return try plan.lastIDs(limit, within: 0...UInt64.max, scope)
    case .range(.keys(let range, _, _)):
      guard let ids = range.idRange else { return [] }
      return try plan.lastIDs(limit, within: ids, scope)
    case .range: return Array(try plan.ids(scope).reversed().prefix(limit))
    }
  }

  /// The ids of the last objects in a range that satisfy the filter, descending.
  ///
  /// - Complexity: O(objects visited): of those behind the first one that is found, at most about three times as many as
  ///   there are.
  private func lastIDs(
    _ limit: Int, within range: ClosedRange<UInt64>, _ scope: ReadScope
  ) throws(Failure) -> [UInt64] {
    let reader = scope.reader
    var cursor = reader.cursor(schema.table)
    guard limit > 0, cursor.seekLast(notAfter: range.upperBound), cursor.id >= range.lowerBound
    else { return [] }
    var ids: [UInt64] = []
    if filter.isAlways {
      repeat {
        ids.append(cursor.id)
      } while ids.count < limit && cursor.previous()
        && cursor.id >= range.lowerBound
      return ids
    }
    // Scans go forward: the last objects first, then twice as many before them until there are enough.
    let total = reader.count(schema.table)
    var visited = 0
    var length = min(max(limit, 16), total)
    while true {
      let upper = cursor.id
      var lower = range.lowerBound
      // The rest is one scan where most objects have been visited.
      var hasMore = visited + length < total / 2
      if hasMore {
        for _ in 0..<length where hasMore {
          lower = cursor.id
          hasMore = cursor.previous() && cursor.id >= range.lowerBound
        }
      }
      let found = try scan(scope, within: lower...upper).ids(limit: .max)
      ids += found.reversed().prefix(limit - ids.count)
      guard hasMore, ids.count < limit else { return ids }
      visited += length
      length *= 2
    }
  }

  /// The plan for a few objects, in the order of the class: where they are met sooner among all than a long range is read,
  /// that of a scan.
  ///
  /// - Complexity: O(1).
  func limited(to limit: Int, _ reader: any TableReader) -> QueryPlan {
    switch access {
    case .nothing, .table, .range(.keys): return self
    case .range:
      guard limit < visitedCount / 16 else { return self }
      let total = reader.count(schema.table)
      let met = Double(limit) * Double(total) / Double(max(1, estimatedCount))
      guard met * 4 < Double(visitedCount) else { return self }
      return QueryPlan(
        model: model, schema: schema, access: .table, filter: condition, condition: condition,
        visitedCount: total, estimatedCount: estimatedCount)
    }
  }
}

extension IntegerKeyRange {
  /// The ids of the objects; nil for none.
  fileprivate var idRange: ClosedRange<UInt64>? {
    guard !isNothing else { return nil }
    guard let upper else { return lower...UInt64.max }
    return upper > lower ? lower...upper - 1 : nil
  }
}
