/// One side of a comparison.
package indirect enum QueryExpression: Equatable, Sendable {
  case constant(Condition.Constant)
  case constants([Condition.Constant])
  case path(QueryPath)
  case aggregate(QueryAggregate)
  /// The number of values of a path that satisfy a condition on each value.
  case matchCount(QueryPath, Condition)
  case arithmetic(QueryArithmetic, QueryExpression, QueryExpression)
  case region(GeoRegion)

  /// The object or value itself.
  package static let itself = QueryExpression.path(.itself)

  /// The maximum nesting depth of arithmetic.
  package static let maximumDepth = 100

  /// Whether the expression may have more than one value.
  package var isMany: Bool {
    if case .path(let path) = self { path.isMany } else { false }
  }

  /// The nesting depth of the arithmetic.
  package var depth: Int {
    if case .arithmetic(_, let left, let right) = self {
      1 + max(left.depth, right.depth)
    } else {
      0
    }
  }
}

/// An aggregate of the values of a path.
package struct QueryAggregate: Sendable, Hashable {
  package enum Function: String, Sendable, Hashable, CaseIterable {
    /// The number of values, including nulls.
    case count = "@count"
    /// The least value, or null for no values. Like all following functions, it skips nulls and
    /// NaNs.
    case min = "@min"
    /// The greatest value, or null for no values.
    case max = "@max"
    /// The sum, or 0 for no values. Sums of integers are 64-bit integers that wrap around.
    case sum = "@sum"
    /// The average, or null for no values. A decimal for decimals, otherwise a double.
    case average = "@avg"
  }

  package var function: Function
  /// The path to the values. A path that ends in a whole collection stands for its elements.
  package var path: QueryPath

  package init(_ function: Function, _ path: QueryPath) {
    self.function = function
    self.path = path
  }
}

/// An arithmetic operation. The result is null for null, for a value that is not a number, for
/// division by zero, and for integer overflow.
///
/// Integer operands yield an integer. A decimal and a number yield a decimal. All other operands
/// yield a double.
package enum QueryArithmetic: String, Sendable, Hashable, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  /// Integer division discards the remainder.
  case divide = "/"
}
