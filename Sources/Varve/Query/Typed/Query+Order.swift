import VarveCore

extension Query where T: _QueryComparable {
  /// Whether a property is less than a value. False for null.
  public static func < (left: Query<T>, right: T) -> Query<Bool> { left.compare(.less, right) }

  /// Whether a property is less than or equal to a value. Null matches only null.
  public static func <= (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.lessOrEqual, right)
  }

  /// Whether a property is greater than a value. False for null.
  public static func > (left: Query<T>, right: T) -> Query<Bool> { left.compare(.greater, right) }

  /// Whether a property is greater than or equal to a value. Null matches only null.
  public static func >= (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.greaterOrEqual, right)
  }

  /// Whether a value is less than a property. False for null.
  public static func < (left: T, right: Query<T>) -> Query<Bool> { right.compare(.greater, left) }

  /// Whether a value is less than or equal to a property. Null matches only null.
  public static func <= (left: T, right: Query<T>) -> Query<Bool> {
    right.compare(.greaterOrEqual, left)
  }

  /// Whether a value is greater than a property. False for null.
  public static func > (left: T, right: Query<T>) -> Query<Bool> { right.compare(.less, left) }

  /// Whether a value is greater than or equal to a property. Null matches only null.
  public static func >= (left: T, right: Query<T>) -> Query<Bool> {
    right.compare(.lessOrEqual, left)
  }

  /// Whether a property is less than another one of the same type. Numbers may be of different
  /// types. False for null.
  public static func < <U: _QueryComparable>(
    left: Query<T>, right: Query<U>
  ) -> Query<Bool> where U._$Family == T._$Family {
    left.compare(.less, right)
  }

  /// Whether a property is less than or equal to another one of the same type. Numbers may be of
  /// different types. Null matches only null.
  public static func <= <U: _QueryComparable>(
    left: Query<T>, right: Query<U>
  ) -> Query<Bool> where U._$Family == T._$Family {
    left.compare(.lessOrEqual, right)
  }

  /// Whether a property is greater than another one of the same type. Numbers may be of different
  /// types. False for null.
  public static func > <U: _QueryComparable>(
    left: Query<T>, right: Query<U>
  ) -> Query<Bool> where U._$Family == T._$Family {
    left.compare(.greater, right)
  }

  /// Whether a property is greater than or equal to another one of the same type. Numbers may be of
  /// different types. Null matches only null.
  public static func >= <U: _QueryComparable>(
    left: Query<T>, right: Query<U>
  ) -> Query<Bool> where U._$Family == T._$Family {
    left.compare(.greaterOrEqual, right)
  }
}
