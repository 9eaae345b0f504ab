package import VarveEncoding

/// Binds a predicate to a class: resolves its names, and checks that types support the operations.
///
/// The binder continues after an error, so that all errors of a predicate are reported.
struct PredicateBinder {
  /// The meaning of `SELF`.
  enum Root {
    case objects(ClassDescription)
    case values(PropertyKind)
  }

  /// A variable of a subquery, with its element.
  struct Variable {
    let name: String
    let root: Root
  }

  let root: Root
  /// The variables of the enclosing subqueries.
  private(set) var variables: [Variable] = []
  private(set) var errors: [TextPredicateError] = []

  init(_ root: Root) { self.root = root }

  /// The root at which the names at the current position begin.
  var scope: Root { variables.last?.root ?? root }

  /// The default class name of errors.
  var className: String? {
    if case .objects(let model) = scope { model.name } else { nil }
  }

  mutating func record(_ error: TextPredicateError) {
    guard errors.count < PredicateParser.maximumErrorCount else { return }
    var error = error
    error.className = error.className ?? className
    errors.append(error)
  }

  /// Binds a condition. A comparison with an error is replaced by a condition that is always true.
  ///
  /// - Complexity: O(parts). The stack depth is that of the predicate, which the parser limits.
  mutating func condition(_ predicate: TextPredicate) -> Condition {
    switch predicate {
    case .constant(let value): return value ? .always : .never
    case .not(let inner): return .not(condition(inner))
    case .same(let left, let right): return .same(condition(left), condition(right))
    case .all(let parts): return joined(parts, .always) { .and($0, $1) }
    case .any(let parts): return joined(parts, .never) { .or($0, $1) }
    case .comparison(let comparison):
      do throws(TextPredicateError) {
        return try self.comparison(comparison)
      } catch {
        record(error)
        return .always
      }
    }
  }

  private mutating func joined(
    _ parts: [TextPredicate], _ empty: Condition, _ join: (Condition, Condition) -> Condition
  ) -> Condition {
    var joined: Condition?
    for part in parts {
      let condition = condition(part)
      joined = joined.map { join($0, condition) } ?? condition
    }
    return joined ?? empty
  }

  /// Binds `SUBQUERY(…).@count`.
  mutating func operand(
    _ subquery: TextPredicate.Subquery, at position: Int
  ) throws(TextPredicateError) -> BoundOperand {
    var collection = try operand(subquery.collection)
    guard collection.isMany, case .path(let path) = collection.expression else {
      throw collection.error("SUBQUERY takes a collection.")
    }
    if let quantifier = subquery.collection.quantifier {
      throw collection.error("A SUBQUERY cannot have a quantifier.", at: quantifier.position)
    }
    let element = collection.target.map { Root.objects($0) } ?? .values(collection.kind)
    variables.append(Variable(name: subquery.variable, root: element))
    let condition = condition(subquery.condition)
    variables.removeLast()
    collection.expression = .matchCount(path, condition)
    collection.kind = PropertyKind(type: .int64)
    collection.target = nil
    collection.isCollection = false
    collection.position = position
    return collection
  }
}

extension ParsedPredicate {
  /// Binds the predicate to a class.
  ///
  /// - Throws: ``TextPredicateError`` with all errors found: unknown names, operations that a type
  ///   does not support, and values of another type.
  /// - Complexity: O(parts).
  package func bound(
    to model: ClassDescription
  ) throws(TextPredicateError) -> BoundPredicateText {
    let (bound, errors) = binding(.objects(model))
    if let error = TextPredicateError.joined(errors) { throw error }
    return bound
  }

  fileprivate func binding(
    _ root: PredicateBinder.Root
  ) -> (BoundPredicateText, [TextPredicateError]) {
    var binder = PredicateBinder(root)
    let condition = binder.condition(condition)
    let suffixes = binder.suffixes(suffixes)
    return (BoundPredicateText(condition: condition, suffixes: suffixes), binder.errors)
  }
}

/// A predicate bound to a class, or to a type of values.
package struct BoundPredicateText: Sendable {
  package enum Suffix: Sendable, Hashable {
    case sort([ElementQuery.SortKey])
    case distinct([[String]])
    case limit(Int)
  }

  package var condition: Condition
  /// Applied in order.
  package var suffixes: [Suffix]

  /// Parses a text and binds it to a class.
  ///
  /// - Parameters:
  ///   - arguments: The values of the placeholders.
  ///   - model: The class, or nil for values.
  ///   - kind: The type of the values.
  ///   - isCondition: Whether suffixes after the condition are rejected.
  /// - Throws: ``TextPredicateError`` with all errors found by the parser and the binder.
  /// - Complexity: O(bytes).
  package static func read(
    _ text: String, _ arguments: [TextPredicate.Literal.Content], on model: ClassDescription?,
    orValues kind: PropertyKind, isCondition: Bool = false
  ) throws(TextPredicateError) -> BoundPredicateText {
    var (predicate, errors) = PredicateParser.read(text, arguments)
    if isCondition {
      do throws(TextPredicateError) {
        try predicate.checkIsCondition()
      } catch {
        errors.append(error)
      }
      predicate.suffixes = []
    }
    let root = model.map { PredicateBinder.Root.objects($0) } ?? .values(kind)
    let (bound, more) = predicate.binding(root)
    let all = (errors + more).prefix(PredicateParser.maximumErrorCount)
    if let error = TextPredicateError.joined(Array(all)) { throw error }
    return bound
  }
}
