import VarveCore

// A comparison with a collection holds when it does for one of its values.

extension Query where T: _QueryCollection {
  /// Whether one of the values is equal to another.
  ///
  /// ```swift
  /// books.where { $0.marks == 5 }
  /// ```
  public static func == (left: Query<T>, right: T._$Item) -> Query<Bool> {
    left.elements.compare(.equal, right)
  }

  /// Whether one of the values differs from another.
  public static func != (left: Query<T>, right: T._$Item) -> Query<Bool> {
    left.elements.compare(.notEqual, right)
  }
}

extension Query where T: _QueryCollection, T._$Item: _QueryComparable {
  /// Whether one of the values is less than another.
  public static func < (left: Query<T>, right: T._$Item) -> Query<Bool> {
    left.elements.compare(.less, right)
  }

  /// Whether one of the values is less than or equal to another.
  public static func <= (left: Query<T>, right: T._$Item) -> Query<Bool> {
    left.elements.compare(.lessOrEqual, right)
  }

  /// Whether one of the values is greater than another.
  public static func > (left: Query<T>, right: T._$Item) -> Query<Bool> {
    left.elements.compare(.greater, right)
  }

  /// Whether one of the values is greater than or equal to another.
  public static func >= (left: Query<T>, right: T._$Item) -> Query<Bool> {
    left.elements.compare(.greaterOrEqual, right)
  }
}
