import VarveCore
import VarveEncoding

extension Query where T: _QueryComparable {
  /// Whether the value is within a range. False for null.
  ///
  /// ```swift
  /// dogs.where { $0.age.contains(3...5) || $0.age.contains(12...) }
  /// ```
  public func contains(_ range: some _QueryRange<T>) -> Query<Bool> { within(range) }

  /// Whether the value is between two bounds, both included. False for null, unless both bounds are
  /// nil, and for every value when the lower bound is greater than the upper bound.
  public func between(_ lower: T, _ upper: T) -> Query<Bool> {
    compare(.between, .constants([lower._$boxed.queryConstant, upper._$boxed.queryConstant]))
  }
}

// The extension is constrained, and not the method: otherwise a property `contains` of a model
// would not be found.
extension Query where T: _QueryComparable {
  /// Whether the value is within a range. False for null.
  public func contains<V: _QueryComparable>(
    _ range: some _QueryRange<V>
  ) -> Query<Bool> where T == V? {
    within(range)
  }
}

extension Query where T == AnyRealmValue {
  /// Whether the value is within a range. False for values whose type is not that of the bounds,
  /// except that numbers of all types are compared with one another.
  public func contains<V: _QueryComparable>(_ range: some _QueryRange<V>) -> Query<Bool> {
    within(range)
  }
}

extension Query {
  func within<V: RealmCollectionValue>(_ range: some _QueryRange<V>) -> Query<Bool> {
    let upperOperation: Condition.Operation = range._$includesUpperBound ? .lessOrEqual : .less
    switch (range._$lowerBound, range._$upperBound) {
    case (let lower?, nil): return compare(.greaterOrEqual, lower)
    case (nil, let upper?): return compare(upperOperation, upper)
    case (let lower?, let upper?) where range._$includesUpperBound:
      return compare(
        .between, .constants([lower._$boxed.queryConstant, upper._$boxed.queryConstant]))
    case (let lower?, let upper?):
      // Of many values, a single one must satisfy both bounds.
      guard expression.isMany else {
        return compare(.greaterOrEqual, lower) && compare(upperOperation, upper)
      }
      return quantified(.any, over: path) { (value: Query<V>) in
        value.compare(.greaterOrEqual, lower) && value.compare(upperOperation, upper)
      }
    case (nil, nil): return Query<Bool>(.always, scope)
    }
  }
}
