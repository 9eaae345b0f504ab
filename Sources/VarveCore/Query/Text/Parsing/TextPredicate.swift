package import VarveEncoding

/// A condition as text says it: names, values and what is done with them. It knows nothing of a class.
///
/// How it is written is told in `Docs/Predicates.md`. ``PredicateParser`` makes it, and it is at most
/// ``PredicateParser/maximumDepth`` levels deep.
///
/// Thread safety: an immutable value.
package indirect enum TextPredicate: Equatable, Sendable {
  case constant(Bool)
  case comparison(Comparison)
  case not(TextPredicate)
  /// Holds where all of at least two parts hold.
  case all([TextPredicate])
  /// Holds where one of at least two parts holds.
  case any([TextPredicate])
  /// Holds where both hold, and where neither does.
  case same(TextPredicate, TextPredicate)

  package struct Comparison: Equatable, Sendable {
    package var left: Expression
    package var operation: Condition.Operation
    /// What `[cd]` says.
    package var folding: TextFolding
    package var right: Expression
    /// Where the operator stands, and where its option does; in characters from 0, as all positions.
    package var position: Int
    package var optionPosition: Int
  }

  /// What stands on one side of a comparison.
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
    /// How deep the arithmetic is nested.
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
    /// With its sign.
    package var variable: String
    package var condition: TextPredicate
  }

  package struct Literal: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
      case value(Value)
      /// A number with more digits than a double keeps.
      case number(Double, Decimal128Bits)
      /// An argument that is an object.
      case object(ObjectReference)
      /// An argument that is an unmanaged object, to which no link leads.
      case unmanaged(className: String)
      /// An argument that is a region of the earth.
      case region(GeoRegion)
      /// An argument that is a sequence.
      case list([Content])
      /// An argument that is a list or a dictionary of values of any type.
      case contents(ConstantContents)
    }
    package var content: Content
    package var position: Int
    /// Whether it is an argument: another one may do where this one does not.
    package var isArgument = false
  }
}
