import VarveCore
import VarveEncoding

extension Query where T == Bool {
  /// The number of elements of a collection that satisfy a condition, all of whose comparisons are
  /// on that collection.
  ///
  /// ```swift
  /// people.where { ($0.dogs.age > 5 && $0.dogs.name == "Rex").count >= 2 }
  /// ```
  ///
  /// Both comparisons are evaluated on the same dog. ``count(where:)`` is equivalent.
  ///
  /// - Precondition: The paths of all properties in the condition contain the same collection.
  public var count: Query<Int> {
    let condition = condition
    var subquery = Subquery()
    _ = condition.mapped { comparison in
      subquery.find(in: comparison)
      return comparison
    }
    guard let collection = subquery.collection else {
      Misuse.trap("A subquery counts elements, and '\(condition)' contains no collection.")
    }
    return Query<Int>(
      .matchCount(collection, condition.mapped { subquery.relative($0) }), scope)
  }
}

/// The collection of a subquery.
private struct Subquery {
  private(set) var collection: QueryPath?

  mutating func find(in comparison: Condition.Comparison) {
    if collection != nil { return }
    collection = comparison.left.firstCollection ?? comparison.right.firstCollection
  }

  /// The comparison, relative to an element.
  func relative(_ comparison: Condition.Comparison) -> Condition.Comparison {
    var relative = comparison
    relative.left = self.relative(comparison.left, in: comparison)
    relative.right = self.relative(comparison.right, in: comparison)
    let isMany = relative.left.isMany || relative.right.isMany
    if !isMany, comparison.quantifier != .any { refuse(comparison) }
    return relative
  }

  private func relative(
    _ expression: QueryExpression, in comparison: Condition.Comparison
  ) -> QueryExpression {
    switch expression {
    case .constant, .constants, .region: return expression
    case .path(let path): return .path(relative(path, in: comparison))
    case .aggregate(var aggregate):
      aggregate.path = relative(aggregate.path, in: comparison)
      if !aggregate.path.isMany { refuse(comparison) }
      return .aggregate(aggregate)
    case .matchCount(let path, let condition):
      let rest = relative(path, in: comparison)
      // "At least one" is the same for a single element as for many.
      if !rest.isMany, comparison.operation != .greater { refuse(comparison) }
      return .matchCount(rest, condition)
    case .arithmetic(let operation, let left, let right):
      return .arithmetic(
        operation, relative(left, in: comparison), relative(right, in: comparison))
    }
  }

  private func relative(_ path: QueryPath, in comparison: Condition.Comparison) -> QueryPath {
    guard let prefix = collection?.steps, path.steps.starts(with: prefix) else {
      refuse(comparison)
    }
    return QueryPath(Array(path.steps.dropFirst(prefix.count)))
  }

  private func refuse(_ comparison: Condition.Comparison) -> Never {
    Misuse.trap(
      "The comparisons of a subquery must be on the elements of one collection: '\(comparison)' is "
        + "not on those of '\(collection.map { "\($0)" } ?? "")'.")
  }
}

extension QueryExpression {
  /// The path to the elements of the first collection in the expression.
  fileprivate var firstCollection: QueryPath? {
    switch self {
    case .constant, .constants, .region: nil
    case .path(let path), .matchCount(let path, _): path.firstCollection
    case .aggregate(let aggregate): aggregate.path.firstCollection
    case .arithmetic(_, let left, let right): left.firstCollection ?? right.firstCollection
    }
  }
}

extension QueryPath {
  fileprivate var firstCollection: QueryPath? {
    for index in steps.indices where QueryPath([steps[index]]).isMany {
      return QueryPath(Array(steps[...index]))
    }
    return nil
  }
}
