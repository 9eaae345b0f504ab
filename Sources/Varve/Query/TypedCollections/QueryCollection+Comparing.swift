import VarveCore

// A comparison with a collection is true when it is true for at least one of its values.

extension Query where T: _QueryCollection {
  /// Whether at least one value is equal to another.
  ///
  /// ```swift
  /// books.where { $0.marks == 5 }
  /// ```
  public static func == (left: Query<T>, right: T._$Item) -> Query<Bool> {
    left.elements.compare(.equal, right)
  }

  /// Whether at least one value differs from another.
  public static func != (left: Query<T>, right: T._$Item) -> Query<Bool> {
    left.elements.compare(.notEqual, right)
  }
}

extension Query where T: _QueryCollection, T._$Item: _QueryComparable {
  /// Whether at least one value is less than another.
  public static func < (left: Query<T>, right: T._$Item) -> Query<Bool> {
    left.elements.compare(.less, right)
  }

  /// Whether at least one value is less than or equal to another.
  public static func <= (left: Query<T>, right: T._$Item) -> Query<Bool> {
    left.elements.compare(.lessOrEqual, right)
  }

  /// Whether at least one value is greater than another.
  public static func > (left: Query<T>, right: T._$Item) -> Query<Bool> {
    left.elements.compare(.greater, right)
  }

  /// Whether at least one value is greater than or equal to another.
  public static func >= (left: Query<T>, right: T._$Item) -> Query<Bool> {
    left.elements.compare(.greaterOrEqual, right)
  }
}
