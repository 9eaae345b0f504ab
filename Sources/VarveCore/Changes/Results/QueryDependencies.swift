import VarveEncoding

/// What the answer of a query depends on, beside which objects there are.
struct QueryDependencies: Sendable {
  /// The properties and paths that the condition reads; nil for none.
  let condition: WatchedPath?
  /// The properties and paths that the sort keys, and what tells objects apart, read; nil for none.
  let order: WatchedPath?

  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class does not have.
  init(_ query: ObjectQuery, in file: FileSchema) throws(Failure) {
    condition = try WatchedPath.tree(query.condition.paths, of: query.model, in: file)
    let distinct = query.distinct.flatMap { $0.paths + $0.sortKeys.map(\.path) }
    order = try WatchedPath.tree(
      query.sortKeys.map(\.path) + distinct, of: query.model, in: file)
  }
}
