import VarveCore

// An operation on null, a division by zero, and an integer result out of the range of 64 bits are
// null. The operators of two properties come last, so that the compiler prefers the operators with
// constants.

extension Query where T: _QueryNumeric {
  /// The sum of a number and a constant.
  public static func + (left: Query<T>, right: T) -> Query<T> {
    left.computed(.add, Query(constant: right, left.scope))
  }

  /// The sum of a constant and a number.
  public static func + (left: T, right: Query<T>) -> Query<T> {
    Query(constant: left, right.scope).computed(.add, right)
  }

  /// The sum of two numbers.
  public static func + (left: Query<T>, right: Query<T>) -> Query<T> {
    left.computed(.add, right)
  }

  /// The difference of a number and a constant.
  public static func - (left: Query<T>, right: T) -> Query<T> {
    left.computed(.subtract, Query(constant: right, left.scope))
  }

  /// The difference of a constant and a number.
  public static func - (left: T, right: Query<T>) -> Query<T> {
    Query(constant: left, right.scope).computed(.subtract, right)
  }

  /// The difference of two numbers.
  public static func - (left: Query<T>, right: Query<T>) -> Query<T> {
    left.computed(.subtract, right)
  }

  /// The product of a number and a constant.
  public static func * (left: Query<T>, right: T) -> Query<T> {
    left.computed(.multiply, Query(constant: right, left.scope))
  }

  /// The product of a constant and a number.
  public static func * (left: T, right: Query<T>) -> Query<T> {
    Query(constant: left, right.scope).computed(.multiply, right)
  }

  /// The product of two numbers.
  public static func * (left: Query<T>, right: Query<T>) -> Query<T> {
    left.computed(.multiply, right)
  }

  /// The quotient of a number and a constant. Integer division discards the remainder.
  public static func / (left: Query<T>, right: T) -> Query<T> {
    left.computed(.divide, Query(constant: right, left.scope))
  }

  /// The quotient of a constant and a number. Integer division discards the remainder.
  public static func / (left: T, right: Query<T>) -> Query<T> {
    Query(constant: left, right.scope).computed(.divide, right)
  }

  /// The quotient of two numbers. Integer division discards the remainder.
  public static func / (left: Query<T>, right: Query<T>) -> Query<T> {
    left.computed(.divide, right)
  }
}
