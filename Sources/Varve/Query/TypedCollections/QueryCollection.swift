import VarveCore
import VarveEncoding

/// A property that holds many values.
public protocol _QueryCollection {
  /// The type of the values; of a map without the keys.
  associatedtype _$Item: RealmCollectionValue
}

extension List: _QueryCollection {
  /// The elements.
  public typealias _$Item = Element
}

extension MutableSet: _QueryCollection {
  /// The elements.
  public typealias _$Item = Element
}

extension LinkingObjects: _QueryCollection {
  /// The objects that link.
  public typealias _$Item = Element
}

extension Map: _QueryCollection {
  /// The values.
  public typealias _$Item = Value
}

/// What stands for each element of a collection: `$0.numbers[.any] > 5`.
public enum _QueryEach: Sendable {
  /// At least one of them.
  case any
}

extension Query where T: _QueryCollection {
  /// Each value.
  var elements: Query<T._$Item> { appending([.elements]) }

  /// The values themselves: a comparison with them holds when it does for one.
  public subscript(each: _QueryEach) -> Query<T._$Item> { elements }

  /// The number of values, null ones too.
  public var count: Query<Int> { elements.aggregate(.count) }

  /// Whether a value is there.
  public func contains(_ value: T._$Item) -> Query<Bool> { elements.compare(.equal, value) }

  /// Whether the value of another property is there.
  public func contains(_ value: Query<T._$Item>) -> Query<Bool> {
    elements.compare(.equal, value)
  }

  /// Whether one of some values is there, or one within a range.
  public func containsAny(in values: some Sequence<T._$Item>) -> Query<Bool> {
    elements.among(values)
  }
}

extension Query {
  /// Whether one of some values is there, or one within a range.
  @_disfavoredOverload
  public func containsAny<V: RealmCollectionValue>(
    in values: some Sequence<V>
  ) -> Query<Bool> where T: _QueryCollection, T._$Item == V? {
    elements.among(values)
  }

  /// Whether a value within a range is there.
  @_disfavoredOverload
  public func containsAny<V: _QueryComparable>(
    in range: some _QueryRange<V>
  ) -> Query<Bool> where T: _QueryCollection, T._$Item == V {
    elements.within(range)
  }

  /// Whether a value within a range is there.
  @_disfavoredOverload
  public func containsAny<V: _QueryComparable>(
    in range: some _QueryRange<V>
  ) -> Query<Bool> where T: _QueryCollection, T._$Item == V? {
    elements.within(range)
  }

  /// Whether a value within a range is there.
  @_disfavoredOverload
  public func containsAny<V: _QueryComparable>(
    in range: some _QueryRange<V> & Sequence<V>
  ) -> Query<Bool> where T: _QueryCollection, T._$Item == V? {
    elements.within(range)
  }

  /// Whether all values lie within a range: the least and the greatest one do. Null and NaN are left out; of nothing else
  /// it does not hold.
  public func contains<V: _QueryComparable & MinMaxType>(
    _ range: some _QueryRange<V>
  ) -> Query<Bool> where T: _QueryCollection, T._$Item == V {
    elements.areWithin(range)
  }

  /// Whether all values lie within a range: the least and the greatest one do. Null and NaN are left out; of nothing else
  /// it does not hold.
  public func contains<V: _QueryComparable & MinMaxType>(
    _ range: some _QueryRange<V>
  ) -> Query<Bool> where T: _QueryCollection, T._$Item == V? {
    elements.areWithin(range)
  }

  private func among<V: RealmCollectionValue>(_ values: some Sequence<V>) -> Query<Bool> {
    // The numbers of a range are many.
    guard let range = values as? any _QueryRange<V> else {
      return isAmong(values)
    }
    return within(range)
  }

  private func areWithin<V: RealmCollectionValue>(_ range: some _QueryRange<V>) -> Query<Bool> {
    let least: Query<V?> = aggregate(.min)
    let greatest: Query<V?> = aggregate(.max)
    let upperOperation: Condition.Operation = range._$includesUpperBound ? .lessOrEqual : .less
    switch (range._$lowerBound, range._$upperBound) {
    case (let lower?, let upper?):
      return least.compare(.greaterOrEqual, lower) && greatest.compare(upperOperation, upper)
    case (let lower?, nil): return least.compare(.greaterOrEqual, lower)
    case (nil, let upper?): return greatest.compare(upperOperation, upper)
    case (nil, nil): return least.compare(.notEqual, .constant(.value(.null)))
    }
  }
}
