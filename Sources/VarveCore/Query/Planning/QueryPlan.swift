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
    switch access {
    case .nothing: return []
    case .table:
      if filter.isAlways, limit == .max { return reader.objectIDs(of: schema) }
      return try FilteredTable(self, reader, store).ids(limit: limit)
    case .range(.keys(let range, _, _)) where limit < .max || !filter.isAlways:
      guard let ids = range.idRange else { return [] }
      return try FilteredTable(self, reader, store, within: ids).ids(limit: limit)
    case .range where isSoonerScanned(limit, reader):
      return try FilteredTable(
        condition, of: model, schema, reader, store, within: 0...UInt64.max
      ).ids(limit: limit)
    case .range(let range):
      return try filter.filter(
        try range.ids(reader, store), limit, of: model, schema, reader, store)
    }
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
