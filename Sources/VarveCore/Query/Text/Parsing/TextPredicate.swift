package import VarveEncoding

/// A parsed condition: names, values and operations, independent of a class.
///
/// The article “Predicates” describes the syntax. ``PredicateParser`` creates conditions of at
/// most ``PredicateParser/maximumDepth`` levels.
package indirect enum TextPredicate: Equatable, Sendable {
  case constant(Bool)
  case comparison(Comparison)
  case not(TextPredicate)
  /// True if all parts are true. There are at least two.
  case all([TextPredicate])
  /// True if any part is true. There are at least two.
  case any([TextPredicate])
  /// True if both operands are true or both are false.
  case same(TextPredicate, TextPredicate)

  package struct Comparison: Equatable, Sendable {
    package var left: Expression
    package var operation: Condition.Operation
    /// The options, such as `[cd]`.
    package var folding: TextFolding
    package var right: Expression
    /// The positions of the operator and of its options. All positions are in characters from 0.
    package var position: Int
    package var optionPosition: Int
  }

  /// One side of a comparison.
  package struct Expression: Equatable, Sendable {
    package indirect enum Content: Equatable, Sendable {
      case literal(Literal)
      /// Values in braces.
      case list([Literal])
      case path(Path)
      case subquery(Subquery)
      case arithmetic(QueryArithmetic, Expression, Expression)
    }
    package var content: Content
    package var position: Int
    /// The nesting depth of the arithmetic.
    package var depth = 0

    package init(_ content: Content, at position: Int) {
      self.content = content
      self.position = position
      if case .arithmetic(_, let left, let right) = content {
        depth = 1 + max(left.depth, right.depth)
      }
    }
  }

  /// `SUBQUERY(path, $variable, condition).@count`.
  package struct Subquery: Equatable, Sendable {
    package var collection: Path
    /// The variable, with its `$`.
    package var variable: String
    package var condition: TextPredicate
  }

  package struct Literal: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
      case value(Value)
      /// A number with more digits than a double can represent.
      case number(Double, Decimal128Bits)
      /// An argument that is an object.
      case object(ObjectReference)
      /// An argument that is an unmanaged object, which no link refers to.
      case unmanaged(className: String)
      /// An argument that is a region of the earth.
      case region(GeoRegion)
      /// An argument that is a sequence.
      case list([Content])
      /// An argument that is a list or a dictionary of mixed values.
      case contents(ConstantContents)
    }
    package var content: Content
    package var position: Int
    /// Whether the literal is an argument, so that another argument may be valid where this one is
    /// not.
    package var isArgument = false
  }
}
