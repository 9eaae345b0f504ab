import VarveCore

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

  /// Whether one of some values is there.
  public func containsAny(in values: some Sequence<T._$Item>) -> Query<Bool> {
    elements.compare(.in, values.queryConstants)
  }
}

extension Query {
  /// Whether one of some values is there.
  @_disfavoredOverload
  public func containsAny<V: RealmCollectionValue>(
    in values: some Sequence<V>
  ) -> Query<Bool> where T: _QueryCollection, T._$Item == V? {
    elements.compare(.in, values.queryConstants)
  }

  /// Whether a value within a range is there.
  public func contains<V: _QueryComparable>(
    _ range: some _QueryRange<V>
  ) -> Query<Bool> where T: _QueryCollection, T._$Item == V {
    elements.within(range)
  }

  /// Whether a value within a range is there.
  public func contains<V: _QueryComparable>(
    _ range: some _QueryRange<V>
  ) -> Query<Bool> where T: _QueryCollection, T._$Item == V? {
    elements.within(range)
  }
}
