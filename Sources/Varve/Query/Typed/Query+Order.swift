import VarveCore

extension Query where T: _QueryComparable {
  /// Less than a value; false for null.
  public static func < (left: Query<T>, right: T) -> Query<Bool> { left.compare(.less, right) }

  /// Less than or equal to a value; of null, to null only.
  public static func <= (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.lessOrEqual, right)
  }

  /// Greater than a value; false for null.
  public static func > (left: Query<T>, right: T) -> Query<Bool> { left.compare(.greater, right) }

  /// Greater than or equal to a value; of null, to null only.
  public static func >= (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.greaterOrEqual, right)
  }

  /// A value that is less than the property's; false for null.
  public static func < (left: T, right: Query<T>) -> Query<Bool> { right.compare(.greater, left) }

  /// A value that is less than or equal to the property's; of null, to null only.
  public static func <= (left: T, right: Query<T>) -> Query<Bool> {
    right.compare(.greaterOrEqual, left)
  }

  /// A value that is greater than the property's; false for null.
  public static func > (left: T, right: Query<T>) -> Query<Bool> { right.compare(.less, left) }

  /// A value that is greater than or equal to the property's; of null, to null only.
  public static func >= (left: T, right: Query<T>) -> Query<Bool> {
    right.compare(.lessOrEqual, left)
  }

  /// Less than another property of the same type, of numbers one of any type; false for null.
  public static func < <U: _QueryComparable>(
    left: Query<T>, right: Query<U>
  ) -> Query<Bool> where U._$Family == T._$Family {
    left.compare(.less, right)
  }

  /// Less than or equal to another property of the same type, of numbers one of any type; of null, to null only.
  public static func <= <U: _QueryComparable>(
    left: Query<T>, right: Query<U>
  ) -> Query<Bool> where U._$Family == T._$Family {
    left.compare(.lessOrEqual, right)
  }

  /// Greater than another property of the same type, of numbers one of any type; false for null.
  public static func > <U: _QueryComparable>(
    left: Query<T>, right: Query<U>
  ) -> Query<Bool> where U._$Family == T._$Family {
    left.compare(.greater, right)
  }

  /// Greater than or equal to another property of the same type, of numbers one of any type; of null, to null only.
  public static func >= <U: _QueryComparable>(
    left: Query<T>, right: Query<U>
  ) -> Query<Bool> where U._$Family == T._$Family {
    left.compare(.greaterOrEqual, right)
  }
}
