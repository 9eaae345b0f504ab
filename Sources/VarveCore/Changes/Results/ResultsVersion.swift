import VarveEncoding
import VarveStorage

/// A query's condition and order, bound to one version.
///
/// Thread safety: one thread at a time.
struct ResultsVersion {
  private let reader: any TableReader
  private let schema: ClassSchema?
  /// The condition; nil if it is always true.
  private let evaluator: ConditionEvaluator?
  /// The order; nil for a query without sort keys.
  private let sort: SortOrder?
  /// The elements of the source in this version; nil for a whole class.
  private let elements: PositionedElements?

  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class lacks.
  init(
    _ query: ElementQuery, _ elements: PositionedElements?, _ scope: ReadScope
  ) throws(Failure) {
    reader = scope.reader
    self.elements = elements
    schema = scope.schema(of: query.model)
    evaluator =
      query.condition.isAlways
      ? nil : try ConditionEvaluator(query.condition, on: query.model, in: scope)
    sort = query.sortKeys.isEmpty ? nil : try SortOrder(query, scope)
  }

  /// Returns the indexes of objects in the order of the results.
  func sortedIndexes(of ids: [UInt64]) throws(Failure) -> [Int] {
    try sort?.sortedIndexes(of: ids) ?? Array(ids.indices)
  }

  func exists(_ id: UInt64) -> Bool {
    schema.map { reader.find($0.table, id: id) != nil } ?? false
  }

  /// Whether an object exists and satisfies the condition.
  ///
  /// - Throws: `.corrupted`.
  func matches(_ id: UInt64) throws(Failure) -> Bool {
    guard let evaluator else { return exists(id) }
    guard let schema, let row = try reader.row(schema, id) else { return false }
    return try evaluator.matches(row, id: id)
  }

  /// Returns the entry of an element in the order of the results. Sorted results have its position
  /// as the id.
  func entry(_ element: PositionedElements.Element) throws(Failure) -> OrderedEntry {
    guard let sort else { return element }
    return OrderedEntry(prefix: try sort.prefix(of: element.id), id: element.prefix)
  }

  /// Compares the elements at two positions.
  func compare(_ first: UInt64, _ second: UInt64) throws(Failure) -> ValueOrdering {
    // Without sort keys the positions differ, and determine the order.
    guard let sort else { return .equal }
    guard let elements else { return try sort.compare(first, second) }
    return try sort.compare(
      elements.object(atPosition: first), elements.object(atPosition: second))
  }
}
