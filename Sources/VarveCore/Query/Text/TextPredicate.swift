package import VarveEncoding

/// A condition as text says it: names of properties, and what they are compared with. It knows nothing of a class.
///
/// - `name operator value` with the operators `=` `==` `!=` `<>` `<` `<=` `>` `>=` `BEGINSWITH` `ENDSWITH` `CONTAINS`,
///   `IN` and `BETWEEN`; `[c]` after an operator ignores case;
/// - names of properties, `SELF` for the element itself, and names of to-one links and a property, separated by dots;
/// - values: numbers, `'text'` or `"text"`, `TRUE`, `FALSE`, `NULL`, after `IN` and `BETWEEN` `{1, 2}`, and names; UUIDs,
///   object ids and dates (`2026-01-31T12:00:00Z`) stand in quotes;
/// - `%@` for the next argument, `%K` for a name that is one;
/// - `AND` (`&&`), `OR` (`||`), `NOT` (`!`), parentheses, `TRUEPREDICATE`, `FALSEPREDICATE`.
///
/// Collections on the way, aggregates and arithmetic are not known.
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

  package struct Comparison: Equatable, Sendable {
    package var property: Name
    package var operation: Operation
    package var isCaseInsensitive = false
    package var operand: Operand

    package init(
      property: Name, operation: Operation, isCaseInsensitive: Bool = false, operand: Operand
    ) {
      self.property = property
      self.operation = operation
      self.isCaseInsensitive = isCaseInsensitive
      self.operand = operand
    }
  }

  /// What stands for a property.
  package struct Name: Equatable, Sendable {
    package var text: String
    /// Where it stands, in characters from 0.
    package var position: Int

    package init(text: String, position: Int) {
      self.text = text
      self.position = position
    }

    /// The names that dots separate; none for `SELF`.
    package var path: [String] {
      if text.uppercased() == "SELF" { return [] }
      return text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Those of the library's queries.
  package typealias Operation = Condition.Operation

  package enum Operand: Equatable, Sendable {
    case literal(Literal)
    case literals([Literal])
    case property(Name)
  }

  package struct Literal: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
      case null
      case bool(Bool)
      case int(Int64)
      case double(Double)
      case string(String)
      /// An argument of another type.
      case value(Value)
      /// An argument that is an object.
      case object(ObjectReference)
      /// An argument that is a sequence.
      case list([Content])
    }
    package var content: Content
    /// Where it stands, in characters from 0.
    package var position: Int

    package init(content: Content, position: Int) {
      self.content = content
      self.position = position
    }
  }
}
