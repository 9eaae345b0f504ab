import VarveCore
import VarveEncoding

extension Query where T: _QueryComparable {
  /// Within a range; false for null.
  ///
  /// ```swift
  /// dogs.where { $0.age.contains(3...5) || $0.age.contains(12...) }
  /// ```
  public func contains(_ range: some _QueryRange<T>) -> Query<Bool> { within(range) }

  /// From one value to another, both included; false for null, and for all where the first is the greater.
  public func between(_ lower: T, _ upper: T) -> Query<Bool> {
    compare(.between, .constants([lower._$boxed.queryConstant, upper._$boxed.queryConstant]))
  }
}

extension Query {
  /// Within a range; false for null.
  public func contains<V: _QueryComparable>(
    _ range: some _QueryRange<V>
  ) -> Query<Bool> where T == V? {
    within(range)
  }
}

extension Query where T == AnyRealmValue {
  /// Within a range; false for values that are not of the type of its bounds, numbers being one type.
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
      // Of many values one has to satisfy both.
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
