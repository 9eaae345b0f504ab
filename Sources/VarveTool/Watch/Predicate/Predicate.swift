import VarveCore

/// A condition on the properties of one object, as `varve watch --where` takes it.
///
/// A small part of the predicate language. A query written as text is not there yet; when it is, the library's parser
/// takes the place of this folder. Until then:
///
/// - `name operator value` with the operators `=` `==` `!=` `<>` `<` `<=` `>` `>=` `BEGINSWITH` `ENDSWITH` `CONTAINS`
///   and `IN`; `[c]` after an operator ignores case;
/// - values: numbers, `'text'` or `"text"`, `TRUE`, `FALSE`, `NULL`, after `IN` `{1, 2}`, and the name of another
///   property; UUIDs, object ids and dates (`2026-01-31T12:00:00Z`) stand in quotes;
/// - `AND` (`&&`), `OR` (`||`), `NOT` (`!`), parentheses, `TRUEPREDICATE`, `FALSEPREDICATE`.
///
/// Names are those of properties of the object itself: no paths over links, nothing of collections.
///
/// Thread safety: an immutable value.
indirect enum Predicate: Equatable, Sendable {
  case constant(Bool)
  case comparison(Comparison)
  case not(Predicate)
  /// Holds where all of at least two parts hold.
  case all([Predicate])
  /// Holds where one of at least two parts holds.
  case any([Predicate])

  struct Comparison: Equatable, Sendable {
    var property: Name
    var operation: Operation
    var isCaseInsensitive = false
    var operand: Operand
  }

  /// What stands for a property.
  struct Name: Equatable, Sendable {
    var text: String
    /// Where it stands, in characters from 0.
    var position: Int
  }

  /// Those of the library's queries.
  typealias Operation = Condition.Operation

  enum Operand: Equatable, Sendable {
    case literal(Literal)
    case literals([Literal])
    case property(Name)
  }

  struct Literal: Equatable, Sendable {
    enum Content: Equatable, Sendable {
      case null
      case bool(Bool)
      case int(Int64)
      case double(Double)
      case string(String)
    }
    var content: Content
    /// Where it stands, in characters from 0.
    var position: Int
  }
}
