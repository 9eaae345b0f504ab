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
  /// - Throws: as ``ids(_:_:limit:)``.
  func count(_ reader: any TableReader, _ store: Store) throws(Failure) -> Int {
    switch access {
    case .nothing: return 0
    case .table:
      if filter.isAlways { return reader.count(schema.table) }
      return try FilteredTable(self, reader, store).count()
    case .range(let range):
      if filter.isAlways, let count = try range.count(reader) { return count }
      if case .keys(let range, _, _) = range {
        guard let ids = range.idRange else { return 0 }
        return try FilteredTable(self, reader, store, within: ids).count()
      }
      return try ids(reader, store).count
    }
  }

  /// The ids of the objects, ascending.
  ///
  /// `limit`: stop after this many.
  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class does not have, or `.corrupted`.
  func ids(
    _ reader: any TableReader, _ store: Store, limit: Int = .max
  ) throws(Failure) -> [UInt64] {
    let plan = limited(to: limit, reader)
    switch plan.access {
    case .nothing: return []
    case .table:
      if plan.filter.isAlways, limit == .max { return reader.objectIDs(of: schema) }
      return try FilteredTable(plan, reader, store).ids(limit: limit)
    case .range(.keys(let range, _, _)) where limit < .max || !filter.isAlways:
      guard let ids = range.idRange else { return [] }
      return try FilteredTable(self, reader, store, within: ids).ids(limit: limit)
    case .range(let range):
      return try filter.filter(
        try range.ids(reader, store), limit, of: model, schema, reader, store)
    }
  }

  /// The ids of the last objects, descending.
  ///
  /// - Throws: as ``ids(_:_:limit:)``.
  func lastIDs(
    _ limit: Int, _ reader: any TableReader, _ store: Store
  ) throws(Failure) -> [UInt64] {
    let plan = limited(to: limit, reader)
    switch plan.access {
    case .nothing: return []
    case .table: return try plan.lastIDs(limit, within: 0...UInt64.max, reader, store)
    case .range(.keys(let range, _, _)):
      guard let ids = range.idRange else { return [] }
      return try plan.lastIDs(limit, within: ids, reader, store)
    case .range: return Array(try ids(reader, store).reversed().prefix(limit))
    }
  }

  /// The ids of the last objects in a range that satisfy the filter, descending.
  ///
  /// - Complexity: O(objects visited): of those behind the first one that is found, at most twice as many as there are.
  private func lastIDs(
    _ limit: Int, within range: ClosedRange<UInt64>, _ reader: any TableReader, _ store: Store
  ) throws(Failure) -> [UInt64] {
    var cursor = reader.cursor(schema.table)
    guard cursor.seekLast(notAfter: range.upperBound) else { return [] }
    var ids: [UInt64] = []
    if filter.isAlways {
      repeat {
        ids.append(cursor.id)
      } while ids.count < limit && cursor.previous()
        && cursor.id >= range.lowerBound
      return ids
    }
    // Scans go forward: the last part first, and one twice as long before it until there are enough.
    var upper = cursor.id
    var length = UInt64(max(limit, 64)).multipliedReportingOverflow(by: 4)
    while upper >= range.lowerBound {
      let isRest = length.overflow || upper - range.lowerBound < length.partialValue
      let lower = isRest ? range.lowerBound : upper - length.partialValue + 1
      let found = try FilteredTable(self, reader, store, within: lower...upper).ids(limit: .max)
      ids += found.reversed().prefix(limit - ids.count)
      guard !isRest, ids.count < limit else { break }
      upper = lower - 1
      length = length.partialValue.multipliedReportingOverflow(by: 2)
    }
    return ids
  }

  /// The plan for a few objects, in the order of the class: where they are met sooner among all than a long range is read,
  /// that of a scan.
  ///
  /// - Complexity: O(1).
  func limited(to limit: Int, _ reader: any TableReader) -> QueryPlan {
    switch access {
    case .nothing, .table, .range(.keys): return self
    case .range:
      guard isSoonerScanned(limit, reader) else { return self }
      return QueryPlan(
        model: model, schema: schema, access: .table, filter: condition, condition: condition,
        visitedCount: reader.count(schema.table), estimatedCount: estimatedCount)
    }
  }
}

extension EntryCursor {
  /// Goes to the last entry of a table with integer keys whose key is not greater than `id`.
  ///
  /// - Returns: Whether there is one.
  fileprivate mutating func seekLast(notAfter id: UInt64) -> Bool {
    guard id < .max, seek(id: id + 1) else { return seekLast() }
    return previous()
  }
}

extension QueryPlan {
  /// Whether a few objects are met sooner in the order of the class than a long range is read.
  private func isSoonerScanned(_ limit: Int, _ reader: any TableReader) -> Bool {
    guard limit < visitedCount / 16 else { return false }
    let total = Double(reader.count(schema.table))
    return Double(limit) * total / Double(max(1, estimatedCount)) * 4 < Double(visitedCount)
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
