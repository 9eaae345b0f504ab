import VarveCore

// Arithmetic of null, a division by zero, and an integer that leaves its 64 bits give null. The operators of two
// properties come last, for the compiler to prefer those with constants.

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

  /// The quotient of a number and a constant; of integers without the remainder.
  public static func / (left: Query<T>, right: T) -> Query<T> {
    left.computed(.divide, Query(constant: right, left.scope))
  }

  /// The quotient of a constant and a number; of integers without the remainder.
  public static func / (left: T, right: Query<T>) -> Query<T> {
    Query(constant: left, right.scope).computed(.divide, right)
  }

  /// The quotient of two numbers; of integers without the remainder.
  public static func / (left: Query<T>, right: Query<T>) -> Query<T> {
    left.computed(.divide, right)
  }
}
