import VarveCore
import VarveEncoding

/// A property that contains many values.
public protocol _QueryCollection {
  /// The type of the values. For a map, without the keys.
  associatedtype _$Item: RealmCollectionValue
}

extension List: _QueryCollection {
  /// The type of the elements.
  public typealias _$Item = Element
}

extension MutableSet: _QueryCollection {
  /// The type of the elements.
  public typealias _$Item = Element
}

extension LinkingObjects: _QueryCollection {
  /// The type of the linking objects.
  public typealias _$Item = Element
}

extension Map: _QueryCollection {
  /// The type of the values.
  public typealias _$Item = Value
}

/// A placeholder for each element of a collection: `$0.numbers[.any] > 5`.
public enum _QueryEach: Sendable {
  /// At least one element.
  case any
}

extension Query where T: _QueryCollection {
  /// The values of the collection.
  var elements: Query<T._$Item> { appending([.elements]) }

  /// The values of the collection. A comparison is true when it is true for at least one value.
  public subscript(each: _QueryEach) -> Query<T._$Item> { elements }

  /// The number of values, including null.
  public var count: Query<Int> { elements.aggregate(.count) }

  /// Whether the collection contains a value.
  public func contains(_ value: T._$Item) -> Query<Bool> { elements.compare(.equal, value) }

  /// Whether the collection contains the value of another property.
  public func contains(_ value: Query<T._$Item>) -> Query<Bool> {
    elements.compare(.equal, value)
  }

  /// Whether the collection contains at least one of several values, or a value within a range.
  public func containsAny(in values: some Sequence<T._$Item>) -> Query<Bool> {
    elements.among(values)
  }
}

extension Query where T: _QueryCollection {
  /// Whether the collection contains at least one of several values, or a value within a range.
  @_disfavoredOverload
  public func containsAny<V: RealmCollectionValue>(
    in values: some Sequence<V>
  ) -> Query<Bool> where T._$Item == V? {
    elements.among(values)
  }

  /// Whether the collection contains a value within a range.
  @_disfavoredOverload
  public func containsAny<V: _QueryComparable>(
    in range: some _QueryRange<V>
  ) -> Query<Bool> where T._$Item == V {
    elements.within(range)
  }

  /// Whether the collection contains a value within a range.
  @_disfavoredOverload
  public func containsAny<V: _QueryComparable>(
    in range: some _QueryRange<V>
  ) -> Query<Bool> where T._$Item == V? {
    elements.within(range)
  }

  /// Whether the collection contains a value within a range.
  @_disfavoredOverload
  public func containsAny<V: _QueryComparable>(
    in range: some _QueryRange<V> & Sequence<V>
  ) -> Query<Bool> where T._$Item == V? {
    elements.within(range)
  }

  /// Whether all values are within a range, decided by the minimum and the maximum. Nulls and NaNs
  /// are skipped. False when the collection contains no other values.
  public func contains<V: _QueryComparable & MinMaxType>(
    _ range: some _QueryRange<V>
  ) -> Query<Bool> where T._$Item == V {
    elements.areWithin(range)
  }

  /// Whether all values are within a range, decided by the minimum and the maximum. Nulls and NaNs
  /// are skipped. False when the collection contains no other values.
  public func contains<V: _QueryComparable & MinMaxType>(
    _ range: some _QueryRange<V>
  ) -> Query<Bool> where T._$Item == V? {
    elements.areWithin(range)
  }
}

extension Query {
  fileprivate func among<V: RealmCollectionValue>(_ values: some Sequence<V>) -> Query<Bool> {
    // A range can contain too many numbers to list.
    guard let range = values as? any _QueryRange<V> else {
      return isAmong(values)
    }
    return within(range)
  }

  fileprivate func areWithin<V: RealmCollectionValue>(_ range: some _QueryRange<V>) -> Query<Bool> {
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
