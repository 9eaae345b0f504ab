import Synchronization
package import VarveCore
import VarveEncoding

/// A value or a condition in the closure of ``RealmCollection/where(_:)``.
///
/// Properties are members of the query, also over links and collections. Operators and methods
/// compare them with constants and with one another. A wrong name or type does not compile, and
/// neither do members of a property's value, such as `$0.name.count`. A computed property of the
/// model is not stored and cannot be queried: using it traps with a message.
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
/// Null is equal only to null. `!=` is true for null when the other side is not null. `<`, `>`,
/// ranges, and string operations such as `contains`, are false for null. The properties of a null
/// link are null. Numbers of different types are compared by their exact values, and a NaN is equal
/// to nothing. See <doc:ComparisonSemantics>.
///
/// Over a collection, a member refers to the values of all elements, and a comparison is true when
/// it is true for at least one of them. See ``allSatisfy(_:)`` and ``noneSatisfy(_:)`` for the
/// other quantifiers. Only one side of a comparison may have many values.
///
/// An object passed to `==`, `!=` or `in` is compared by identity within its store and is equal to
/// no object of another store. It is captured when the query is built: an unmanaged object matches
/// nothing, even if it is added later.
///
/// Enumerations, and types stored as another type, are ordered by their stored values. Their
/// `rawValue` or `persistableValue` supports all operations of the stored type.
///
/// An invalid query, such as one with an invalid regular expression, traps with a message.
///
/// Complexity: conditions are combined in constant time, and there is no limit on their number or
/// nesting.
@dynamicMemberLookup
public struct Query<T>: Sendable {
  enum Content {
    /// A value, with the size of the arithmetic in it.
    case expression(QueryExpression, ArithmeticSize)
    /// The result of a comparison.
    case condition(Condition)
  }

  let content: Content
  /// The closure that the query belongs to.
  let scope: QueryScope

  /// The object or the value itself.
  package init() { self.init(.itself, QueryScope()) }

  init(_ expression: QueryExpression, _ scope: QueryScope, size: ArithmeticSize = .none) {
    content = .expression(expression, size)
    self.scope = scope
  }

  init(_ condition: Condition, _ scope: QueryScope) {
    content = .condition(condition)
    self.scope = scope
  }

  /// The condition. A value, which is a Bool in this case, is compared with true.
  package var condition: Condition {
    switch content {
    case .condition(let condition): condition
    case .expression: compare(.equal, .constant(.value(.bool(true)))).condition
    }
  }

  /// The expression of a value. Traps for a condition.
  var expression: QueryExpression {
    guard case .expression(let expression, _) = content else {
      Misuse.trap("A condition is not a value: it can only be compared with == and !=.")
    }
    return expression
  }

  /// The path to the value. Traps for a computed value.
  var path: QueryPath {
    guard case .expression(.path(let path), _) = content else {
      Misuse.trap(
        "A computed value has no members, elements or aggregates; only properties have.")
    }
    return path
  }

  /// Appends steps to the path.
  func appending<V>(_ steps: [QueryPath.Step]) -> Query<V> {
    let before = self.path.steps
    let path = QueryPath(before.isEmpty ? steps : before + steps)
    guard path.steps.count <= QueryPath.maximumCount else {
      Misuse.trap("A path in a query has more than \(QueryPath.maximumCount) steps.")
    }
    return Query<V>(.path(path), scope)
  }

  /// The same query with the type of the stored value.
  func retyped<V>() -> Query<V> {
    switch content {
    case .expression(let expression, let size): Query<V>(expression, scope, size: size)
    case .condition(let condition): Query<V>(condition, scope)
    }
  }
}

/// The identity of a closure. Only queries of the same closure can be compared and combined.
///
/// A path begins at the argument of its closure. Used in the closure of a subquery, it would
/// silently refer to an element instead.
struct QueryScope: Sendable {
  /// Differs between the closures of a process.
  private let number: UInt64

  init() { number = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }

  /// The number assigned last.
  private static let lastNumber = Atomic<UInt64>(0)

  /// Returns the scope that both queries share. Traps when they are of different closures.
  func joined(_ other: QueryScope) -> QueryScope {
    guard number == other.number else {
      Misuse.trap(
        "Queries of two closures cannot be combined: a condition on the elements of a collection "
          + "can use only the element.")
    }
    return self
  }
}
