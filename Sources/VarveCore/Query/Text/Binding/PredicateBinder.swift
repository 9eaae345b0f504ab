package import VarveEncoding

/// Ties a predicate to a class: finds what its names stand for, and checks that what is asked of them has a meaning.
///
/// It goes on after errors, so that a predicate gives all of them.
struct PredicateBinder {
  /// What `SELF` stands for.
  enum Root {
    case objects(ClassDescription)
    case values(PropertyKind)
  }

  /// A variable of a subquery, with what it stands for.
  struct Variable {
    let name: String
    let root: Root
  }

  let root: Root
  /// Those of the subqueries around.
  private(set) var variables: [Variable] = []
  private(set) var errors: [TextPredicateError] = []

  init(_ root: Root) { self.root = root }

  /// What the names around begin at.
  var scope: Root { variables.last?.root ?? root }

  /// The name of the class that errors are about, if they name none.
  var className: String? {
    if case .objects(let model) = scope { model.name } else { nil }
  }

  mutating func record(_ error: TextPredicateError) {
    guard errors.count < PredicateParser.maximumErrorCount else { return }
    var error = error
    error.className = error.className ?? className
    errors.append(error)
  }

  /// The condition; parts with errors hold for all.
  ///
  /// - Complexity: O(parts); stack for the depth of the predicate, which its parser bounds.
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

  /// `SUBQUERY(…).@count`.
  mutating func operand(
    _ subquery: TextPredicate.Subquery, at position: Int
  ) throws(TextPredicateError) -> BoundOperand {
    var collection = try operand(subquery.collection)
    guard collection.isMany, case .path(let path) = collection.expression else {
      throw collection.error("SUBQUERY takes a collection.")
    }
    if let quantifier = subquery.collection.quantifier {
      throw collection.error("A SUBQUERY takes no quantifier.", at: quantifier.position)
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
  /// The condition on objects of a class, and what is done with those that it finds.
  ///
  /// - Parameter model: The class.
  /// - Returns: The condition.
  /// - Throws: ``TextPredicateError``, all that are found in one: for a name that its class does not have, for what values
  ///   of a type do not know, for a value of another type.
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

/// What a text says of the objects of a class, or of values.
///
/// Thread safety: an immutable value.
package struct BoundPredicateText: Sendable {
  package enum Suffix: Sendable, Hashable {
    case sort([ElementQuery.SortKey])
    case distinct([[String]])
    case limit(Int)
  }

  package var condition: Condition
  /// Applied one after the other.
  package var suffixes: [Suffix]

  /// Reads a text, and ties it to a class.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - arguments: What stands in its places.
  ///   - model: The class; nil for values.
  ///   - kind: What the values are.
  ///   - isCondition: Whether nothing may stand behind the condition.
  /// - Returns: What the text says.
  /// - Throws: ``TextPredicateError``, all that are found in one, whether in the text or with the class.
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
