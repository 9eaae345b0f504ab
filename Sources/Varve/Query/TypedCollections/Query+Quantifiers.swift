import VarveCore
import VarveEncoding

extension Query where T: _QueryCollection {
  /// Whether at least one element satisfies a condition. False for an empty collection.
  ///
  /// ```swift
  /// people.where { $0.dogs.contains { $0.age > 5 && $0.name == "Rex" } }
  /// ```
  /// - Parameter condition: Receives the element, which is the only value that it can use.
  public func contains(where condition: (Query<T._$Item>) -> Query<Bool>) -> Query<Bool> {
    elements.quantified(.any, over: elements.path, condition)
  }

  /// Whether all elements satisfy a condition. True for an empty collection.
  ///
  /// - Parameter condition: Receives the element, which is the only value that it can use.
  public func allSatisfy(_ condition: (Query<T._$Item>) -> Query<Bool>) -> Query<Bool> {
    elements.quantified(.all, over: elements.path, condition)
  }

  /// Whether no element satisfies a condition. True for an empty collection.
  ///
  /// - Parameter condition: Receives the element, which is the only value that it can use.
  public func noneSatisfy(_ condition: (Query<T._$Item>) -> Query<Bool>) -> Query<Bool> {
    elements.quantified(.none, over: elements.path, condition)
  }

  /// The number of elements that satisfy a condition.
  ///
  /// ```swift
  /// people.where { $0.dogs.count(where: { $0.age > 5 }) >= 2 }
  /// ```
  /// - Parameter condition: Receives the element, which is the only value that it can use.
  public func count(where condition: (Query<T._$Item>) -> Query<Bool>) -> Query<Int> {
    Query<Int>(.matchCount(elements.path, Self.condition(condition)), scope)
  }
}

extension Query {
  /// Whether the given quantity of the values of a path satisfies a condition.
  func quantified<E>(
    _ quantifier: Condition.Quantifier, over path: QueryPath,
    _ condition: (Query<E>) -> Query<Bool>
  ) -> Query<Bool> {
    let inner = Self.condition(condition)
    if var comparison = inner.comparison, case .path(let rest) = comparison.left,
      !rest.isMany, comparison.quantifier == .any, comparison.right.isConstant
    {
      comparison.left = .path(path.appending(rest))
      comparison.quantifier = quantifier
      return Query<Bool>(.comparison(comparison), scope)
    }
    let counted = quantifier == .all ? Condition.not(inner) : inner
    return Query<Bool>(
      .comparison(
        Condition.Comparison(
          .matchCount(path, counted), quantifier == .any ? .greater : .equal,
          .constant(.value(.int(0))))), scope)
  }

  /// Builds the condition of a closure on an element.
  static func condition<E>(_ condition: (Query<E>) -> Query<Bool>) -> Condition {
    let element = Query<E>()
    let made = condition(element)
    _ = made.scope.joined(element.scope)
    return made.condition
  }
}

extension QueryExpression {
  fileprivate var isConstant: Bool {
    switch self {
    case .constant, .constants: true
    default: false
    }
  }
}
