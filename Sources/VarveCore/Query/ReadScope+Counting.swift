import VarveEncoding
import VarveStorage

extension ReadScope {
  /// The number of objects for which an indexed property equals a constant of its own type and of a
  /// fixed width. It is that of ``QueryPlanner/indexedCount(_:)``, but no planner, predicate, range
  /// or key is made: such a query may take less time than they do.
  ///
  /// - Returns: nil for other conditions.
  func equalCount(
    _ condition: Condition, of model: ClassDescription, _ schema: ClassSchema
  ) -> Int? {
    guard hasIndexes, case .comparison(let comparison) = condition.root.kind,
      case .equal = comparison.operation, case .any = comparison.quantifier,
      comparison.folding.isEmpty, case .path(let path) = comparison.left,
      case .constant(.value(let constant)) = comparison.right,
      let property = path.ownProperty(model, in: schema), property.kind.collection == .none,
      !mayContainMarks(property), let index = schema.index(of: property, fileKey: store.fileKey)
    else { return nil }
    return index.count(equalTo: constant, reader)
  }
}
