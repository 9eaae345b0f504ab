import VarveCore

/// The size of the arithmetic in a query.
///
/// Operands that are shared, as in `x + x` of `x + x`, are counted at each occurrence.
struct ArithmeticSize: Sendable {
  /// The nesting depth and the number of operators.
  private var depth: Int
  private var count: Int

  static let none = ArithmeticSize(depth: 0, count: 0)
  private static let maximumCount = 10_000

  /// Returns the size of an operation on both operands. Traps when it exceeds a limit.
  func joined(_ other: ArithmeticSize) -> ArithmeticSize {
    let size = ArithmeticSize(depth: max(depth, other.depth) + 1, count: count + other.count + 1)
    guard size.depth <= QueryExpression.maximumDepth else {
      Misuse.trap(
        "Arithmetic in a query is nested more than \(QueryExpression.maximumDepth) operators deep.")
    }
    guard size.count <= Self.maximumCount else {
      Misuse.trap("Arithmetic in a query has more than \(Self.maximumCount) operators.")
    }
    return size
  }
}

extension Query {
  /// Creates a constant.
  init(constant: some RealmCollectionValue, _ scope: QueryScope) {
    self.init(.constant(constant._$boxed.queryConstant), scope)
  }

  /// Returns an arithmetic operation on this value and a value of the same closure.
  func computed<U, V>(_ operation: QueryArithmetic, _ other: Query<U>) -> Query<V> {
    guard case .expression(let left, let size) = content,
      case .expression(let right, let otherSize) = other.content
    else { Misuse.trap("A condition is not a number.") }
    for side in [left, right] where side.isMany {
      Misuse.trap(
        "Arithmetic requires single values, and '\(side)' has many values: aggregate them with "
          + "sum, avg, min or max.")
    }
    return Query<V>(
      .arithmetic(operation, left, right), scope.joined(other.scope), size: size.joined(otherSize))
  }
}
