import VarveCore

extension Query {
  /// The values taken together.
  func aggregate<V>(_ function: QueryAggregate.Function) -> Query<V> {
    let path = path
    guard path.isMany else {
      QueryMisuse.trap(
        "\(function.rawValue) is of the values of a collection, and '\(path)' leads over none.")
    }
    return Query<V>(.aggregate(QueryAggregate(function, path)), scope)
  }
}

// Nulls and NaNs are left out. Of nothing the sum is 0, and the others are null.

extension Query where T: _QueryComparable & MinMaxType {
  /// The least value of a property of a collection's objects: `$0.dogs.age.min`.
  ///
  /// - Precondition: the property is reached over a collection.
  public var min: Query<T._$Nullable> { aggregate(.min) }

  /// The greatest value of a property of a collection's objects; see `min`.
  ///
  /// - Precondition: the property is reached over a collection.
  public var max: Query<T._$Nullable> { aggregate(.max) }
}

extension Query where T: _QueryNumeric {
  /// The sum of a property of a collection's objects: `$0.dogs.age.sum`.
  ///
  /// - Precondition: the property is reached over a collection.
  public var sum: Query<T> { aggregate(.sum) }

  /// The mean of a property of a collection's objects: `$0.dogs.age.avg`.
  ///
  /// - Precondition: the property is reached over a collection.
  public var avg: Query<T._$Average> { aggregate(.average) }
}

extension Query where T: _QueryCollection, T._$Item: _QueryComparable & MinMaxType {
  /// The least value of a collection.
  public var min: Query<T._$Item._$Nullable> { elements.min }

  /// The greatest value of a collection.
  public var max: Query<T._$Item._$Nullable> { elements.max }
}

extension Query where T: _QueryCollection, T._$Item: _QueryNumeric {
  /// The sum of the values of a collection.
  public var sum: Query<T._$Item> { elements.sum }

  /// The mean of the values of a collection.
  public var avg: Query<T._$Item._$Average> { elements.avg }
}
