package import VarveCore
import VarveEncoding

/// A value that a condition is on, or the condition, as the closure of ``RealmCollection/where(_:)`` builds it.
///
/// Properties are reached by their names, over links and collections too; operators and methods compare them with
/// constants and with one another. A wrong name or type does not compile, and neither do members of a property's
/// value: `$0.name.count`. A computed property of the model is not stored, so that no query can ask for it: it ends
/// the program with a message.
///
/// ```swift
/// dogs.where { $0.age > 5 && $0.owner.name == "Ann" }
/// dogs.where { $0.age * 7 >= $0.owner.age }
/// people.where { $0.dogs.age > 5 }                           // at least one
/// people.where { $0.dogs.allSatisfy { $0.age > 5 } }
/// people.where { ($0.dogs.age > 5 && $0.dogs.name == "Rex").count >= 2 }
/// people.where { $0.dogs.count == 0 || $0.dogs.age.avg > 3 }
/// ```
///
/// Null equals null only. `!=` holds for null where the other side is not null; an order, a range and the comparisons
/// of strings never do. A link that is null has null for each of its properties. Numbers of different types are
/// compared by their exact values, and a NaN equals nothing.
///
/// Over a collection a name stands for the values of all elements, and a comparison holds when it does for one of them;
/// see ``allSatisfy(_:)`` and ``noneSatisfy(_:)`` for others. Only one side of a comparison may have many values.
///
/// An object given to `==`, `!=` or `in` stands for itself in its store, and equals no object of another
/// store. It is taken as it is at that moment: an unmanaged one equals none, even when it is added later.
///
/// An enumeration, and a type that is stored as another one, has the order of what is stored; its `rawValue`, or
/// `persistableValue`, knows all that queries ask of that.
///
/// What is wrong with a query in every run, such as a pattern that is none, ends the program with a message that says
/// so.
///
/// Complexity: conditions are joined in constant time, to any number and depth.
///
/// Thread safety: an immutable value.
@dynamicMemberLookup
public struct Query<T>: Sendable {
  enum Content {
    /// What has a value, with the size of the arithmetic in it.
    case expression(QueryExpression, ArithmeticSize)
    /// What comparisons gave.
    case condition(Condition)
  }

  let content: Content
  /// The closure that the query belongs to.
  let scope: QueryScope

  /// The object or the value itself.
  package init() { self.init(.path(.itself), QueryScope()) }

  init(_ expression: QueryExpression, _ scope: QueryScope, size: ArithmeticSize = .none) {
    content = .expression(expression, size)
    self.scope = scope
  }

  init(_ condition: Condition, _ scope: QueryScope) {
    content = .condition(condition)
    self.scope = scope
  }

  /// The condition; of a value, which is a Bool then: that it is true.
  package var condition: Condition {
    switch content {
    case .condition(let condition): condition
    case .expression: compare(.equal, .constant(.value(.bool(true)))).condition
    }
  }

  /// What has a value.
  var expression: QueryExpression {
    guard case .expression(let expression, _) = content else {
      QueryMisuse.trap("A condition is no value: a query compares it by == and != only.")
    }
    return expression
  }

  /// The way to the value.
  var path: QueryPath {
    guard case .expression(.path(let path), _) = content else {
      QueryMisuse.trap(
        "What a query computes has no parts: members, elements and aggregates are of properties.")
    }
    return path
  }

  /// What some steps lead to from here.
  func appending<V>(_ steps: [QueryPath.Step]) -> Query<V> {
    let path = QueryPath(self.path.steps + steps)
    guard path.steps.count <= QueryPath.maximumCount else {
      QueryMisuse.trap("A path in a query has more than \(QueryPath.maximumCount) steps.")
    }
    return Query<V>(.path(path), scope)
  }

  /// The same, taken as what is stored of it.
  func retyped<V>() -> Query<V> {
    switch content {
    case .expression(let expression, let size): Query<V>(expression, scope, size: size)
    case .condition(let condition): Query<V>(condition, scope)
    }
  }
}

/// One closure's queries: only these can be compared and joined.
///
/// A path begins at what its closure is given. Inside of the closure of a subquery it would silently become one of the
/// elements.
///
/// Thread safety: immutable.
final class QueryScope: Sendable {
  /// - Returns: the scope of both.
  func joined(_ other: QueryScope) -> QueryScope {
    guard self === other else {
      QueryMisuse.trap(
        "Queries of two closures cannot be joined: a condition on the elements of a collection knows the element "
          + "and nothing around it.")
    }
    return self
  }
}
