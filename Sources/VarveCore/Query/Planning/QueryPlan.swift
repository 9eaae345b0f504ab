import VarveEncoding
import VarveStorage

/// A plan that finds the objects of a class that satisfy a condition.
struct QueryPlan: Sendable {
  enum Access: Sendable {
    /// Reads nothing.
    case nothing
    /// Visits every object of the table.
    case table
    case range(PlannedRange)
  }

  let model: ClassDescription
  let schema: ClassSchema
  let access: Access
  /// The filter that is evaluated for each object that `access` yields.
  let filter: Condition
  /// The whole condition of the query.
  let condition: Condition
  /// The estimated number of visited objects.
  let visitedCount: Int
  /// The estimated number of results.
  let estimatedCount: Int

  /// The number of matching objects, read from the index or the table if possible.
  ///
  /// - Throws: The errors of ``ids(_:limit:)``.
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

  /// The ids of the matching objects, ascending.
  ///
  /// - Parameter limit: The maximum number of ids.
  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class lacks, or
  ///   `.corrupted`.
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

  /// A scan of a range of ids that evaluates the filter.
  ///
  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class lacks.
  /// - Complexity: O(size of the filter).
  func scan(
    _ scope: ReadScope, within ids: ClosedRange<UInt64> = 0...UInt64.max
  ) throws(Failure) -> RowScan {
    let test = filter.isAlways ? nil : try RowTest(filter, on: model, schema, scope)
    return RowScan(scope.reader, schema, test: test, ids: ids)
  }

  /// The ids of the last matching objects, descending.
  ///
  /// - Throws: The errors of ``ids(_:limit:)``.
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
  /// - Complexity: O(visited objects). The number of visited objects is at most about three times
  ///   the number of objects above the lowest id returned.
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
    // Scans only move forward: scan the last objects first, then twice as many before them, until
    // there are enough.
    let total = reader.count(schema.table)
    var visited = 0
    var length = min(max(limit, 16), total)
    while true {
      let upper = cursor.id
      var lower = range.lowerBound
      // Once most objects have been visited, the rest is a single scan.
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

  /// The plan for a limited number of objects in id order. Returns a table scan if it is expected
  /// to find them before a long range has been read.
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
  /// The range of ids, or nil if it is empty.
  fileprivate var idRange: ClosedRange<UInt64>? {
    guard !isNothing else { return nil }
    guard let upper else { return lower...UInt64.max }
    return upper > lower ? lower...upper - 1 : nil
  }
}
