/// What stands on one side of a comparison.
///
/// Thread safety: an immutable value.
package indirect enum QueryExpression: Equatable, Sendable {
  case constant(Condition.Constant)
  case constants([Condition.Constant])
  case path(QueryPath)
  case aggregate(QueryAggregate)
  /// How many of the values that a path leads to satisfy a condition, which is on each of them.
  case matchCount(QueryPath, Condition)
  case arithmetic(QueryArithmetic, QueryExpression, QueryExpression)
  case region(GeoRegion)

  /// How deep arithmetic may be nested.
  package static let maximumDepth = 100

  /// Whether there may be more than one value.
  package var isMany: Bool {
    if case .path(let path) = self { path.isMany } else { false }
  }

  /// How deep the arithmetic is nested.
  package var depth: Int {
    if case .arithmetic(_, let left, let right) = self {
      1 + max(left.depth, right.depth)
    } else {
      0
    }
  }
}

/// The values that a path leads to, taken together.
///
/// Thread safety: an immutable value.
package struct QueryAggregate: Sendable, Hashable {
  package enum Function: String, Sendable, Hashable, CaseIterable {
    /// How many there are, null ones too.
    case count = "@count"
    /// The least value; null for none. Nulls and NaNs are left out, as by all that follow.
    case min = "@min"
    /// The greatest value; null for none.
    case max = "@max"
    /// Of integers an integer, in 64 bits that wrap around; 0 for none.
    case sum = "@sum"
    /// A double, of decimals a decimal; null for none.
    case average = "@avg"
  }

  package var function: Function
  /// Where the values are. A path that ends in a collection as a whole stands for its elements.
  package var path: QueryPath

  package init(_ function: Function, _ path: QueryPath) {
    self.function = function
    self.path = path
  }
}

/// Arithmetic of numbers. With null, of what is no number, by zero, or past the range of integers it gives null.
///
/// Of integers it gives an integer; of a decimal and a number a decimal, of others a double.
package enum QueryArithmetic: String, Sendable, Hashable, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  /// Of integers without the remainder.
  case divide = "/"
}
