import VarveEncoding

/// What the answer of a query depends on, with the queries that it narrows, beside which objects there are.
struct QueryDependencies: Sendable {
  /// The properties and paths that the condition reads; nil for none.
  let condition: WatchedPath?
  /// The properties and paths that the sort keys, and what tells objects apart, read; nil for none.
  let order: WatchedPath?

  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class does not have.
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
