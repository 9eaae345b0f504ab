import VarveCore

/// How much arithmetic there is in a value of a query.
///
/// Operands may be shared, `x + x` of `x + x` and so on: they are counted as often as they stand there.
///
/// Thread safety: a value.
struct ArithmeticSize: Sendable {
  /// How deep it is nested, and how many operators there are.
  private var depth: Int
  private var count: Int

  static let none = ArithmeticSize(depth: 0, count: 0)
  private static let maximumCount = 10_000

  /// - Precondition: it is not too much.
  /// - Returns: the size of both, as operands of one operator.
  func joined(_ other: ArithmeticSize) -> ArithmeticSize {
    let size = ArithmeticSize(depth: max(depth, other.depth) + 1, count: count + other.count + 1)
    guard size.depth <= QueryExpression.maximumDepth else {
      QueryMisuse.trap(
        "Arithmetic in a query is nested more than \(QueryExpression.maximumDepth) operators deep.")
    }
    guard size.count <= Self.maximumCount else {
      QueryMisuse.trap("Arithmetic in a query has more than \(Self.maximumCount) operators.")
    }
    return size
  }
}

extension Query {
  /// A value that is the same for all.
  init(constant: some RealmCollectionValue, _ scope: QueryScope) {
    self.init(.constant(constant._$boxed.queryConstant), scope)
  }

  /// Arithmetic with another query of the same closure.
  func computed<U, V>(_ operation: QueryArithmetic, _ other: Query<U>) -> Query<V> {
    guard case .expression(let left, let size) = content,
      case .expression(let right, let otherSize) = other.content
    else { QueryMisuse.trap("A condition is no number.") }
    for side in [left, right] where side.isMany {
      QueryMisuse.trap(
        "Arithmetic is of single numbers, and '\(side)' leads over a collection: take its values together by sum, "
          + "avg, min or max.")
    }
    return Query<V>(
      .arithmetic(operation, left, right), scope.joined(other.scope), size: size.joined(otherSize))
  }
}
