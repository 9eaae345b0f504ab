import VarveCore

extension Query {
  /// Returns an aggregate of the values.
  func aggregate<V>(_ function: QueryAggregate.Function) -> Query<V> {
    let path = path
    guard path.isMany else {
      Misuse.trap(
        "\(function.rawValue) requires the values of a collection, and '\(path)' has one value.")
    }
    return Query<V>(.aggregate(QueryAggregate(function, path)), scope)
  }
}

// Nulls and NaNs are skipped. Without values the sum is 0 and the others are null.

extension Query where T: _QueryComparable & MinMaxType {
  /// The minimum of a property over the objects of a collection: `$0.dogs.age.min`.
  ///
  /// - Precondition: The path of the property contains a collection.
  public var min: Query<T._$Nullable> { aggregate(.min) }

  /// The maximum of a property over the objects of a collection: `$0.dogs.age.max`.
  ///
  /// - Precondition: The path of the property contains a collection.
  public var max: Query<T._$Nullable> { aggregate(.max) }
}

extension Query where T: _QueryNumeric {
  /// The sum of a property over the objects of a collection: `$0.dogs.age.sum`.
  ///
  /// - Precondition: The path of the property contains a collection.
  public var sum: Query<T> { aggregate(.sum) }

  /// The average of a property over the objects of a collection: `$0.dogs.age.avg`.
  ///
  /// - Precondition: The path of the property contains a collection.
  public var avg: Query<T._$Average> { aggregate(.average) }
}

extension Query where T: _QueryCollection, T._$Item: _QueryComparable & MinMaxType {
  /// The minimum of the values of a collection.
  public var min: Query<T._$Item._$Nullable> { elements.min }

  /// The maximum of the values of a collection.
  public var max: Query<T._$Item._$Nullable> { elements.max }
}

extension Query where T: _QueryCollection, T._$Item: _QueryNumeric {
  /// The sum of the values of a collection.
  public var sum: Query<T._$Item> { elements.sum }

  /// The average of the values of a collection.
  public var avg: Query<T._$Item._$Average> { elements.avg }
}
