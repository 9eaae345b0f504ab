import VarveEncoding

/// The paths on which the answer of a query depends, including the queries that it narrows, apart
/// from the existence of objects.
struct QueryDependencies: Sendable {
  /// The properties and paths that the condition reads; nil for none.
  let condition: WatchedPath?
  /// The properties and paths that the sort keys and the distinct criteria read; nil for none.
  let order: WatchedPath?

  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class lacks.
  init(_ query: ElementQuery, in file: FileSchema) throws(Failure) {
    var conditions: [QueryPath] = []
    var orders: [[String]] = []
    for query in query.nested {
      conditions += query.condition.paths
      orders += query.sortKeys.map(\.path)
      orders += query.distinct.flatMap { $0.paths + $0.sortKeys.map(\.path) }
    }
    condition = try WatchedPath.tree(conditions, of: query.model, in: file)
    order = try WatchedPath.tree(orders, of: query.model, in: file)
  }
}
