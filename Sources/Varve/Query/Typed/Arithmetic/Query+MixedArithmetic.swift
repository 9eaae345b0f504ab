import VarveCore

// Arithmetic on two numbers of which one is optional, and on numbers of different types.

extension Query where T: _QueryBinaryNumber {
  /// The sum of two numbers of one type, one of which is optional.
  @_disfavoredOverload
  public static func + <U: _QueryBinaryNumber>(
    left: Query<T>, right: Query<U>
  ) -> Query<T._$Number?> where U._$Number == T._$Number {
    left.computed(.add, right)
  }

  /// The sum of two numbers of different types.
  @_disfavoredOverload
  public static func + <U: _QueryBinaryNumber>(
    left: Query<T>, right: Query<U>
  ) -> Query<Double?> {
    left.computed(.add, right)
  }

  /// The difference of two numbers of one type, one of which is optional.
  @_disfavoredOverload
  public static func - <U: _QueryBinaryNumber>(
    left: Query<T>, right: Query<U>
  ) -> Query<T._$Number?> where U._$Number == T._$Number {
    left.computed(.subtract, right)
  }

  /// The difference of two numbers of different types.
  @_disfavoredOverload
  public static func - <U: _QueryBinaryNumber>(
    left: Query<T>, right: Query<U>
  ) -> Query<Double?> {
    left.computed(.subtract, right)
  }

  /// The product of two numbers of one type, one of which is optional.
  @_disfavoredOverload
  public static func * <U: _QueryBinaryNumber>(
    left: Query<T>, right: Query<U>
  ) -> Query<T._$Number?> where U._$Number == T._$Number {
    left.computed(.multiply, right)
  }

  /// The product of two numbers of different types.
  @_disfavoredOverload
  public static func * <U: _QueryBinaryNumber>(
    left: Query<T>, right: Query<U>
  ) -> Query<Double?> {
    left.computed(.multiply, right)
  }

  /// The quotient of two numbers of one type, one of which is optional. Integer division discards
  /// the remainder.
  @_disfavoredOverload
  public static func / <U: _QueryBinaryNumber>(
    left: Query<T>, right: Query<U>
  ) -> Query<T._$Number?> where U._$Number == T._$Number {
    left.computed(.divide, right)
  }

  /// The quotient of two numbers of different types. Integer division discards the remainder.
  @_disfavoredOverload
  public static func / <U: _QueryBinaryNumber>(
    left: Query<T>, right: Query<U>
  ) -> Query<Double?> {
    left.computed(.divide, right)
  }
}

extension Query where T: _QueryInteger {
  /// The sum of an integer and a constant.
  @_disfavoredOverload
  public static func + (left: Query<T>, right: Double) -> Query<Double?> {
    left.computed(.add, Query<Double>(constant: right, left.scope))
  }

  /// The sum of a constant and an integer.
  @_disfavoredOverload
  public static func + (left: Double, right: Query<T>) -> Query<Double?> {
    Query<Double>(constant: left, right.scope).computed(.add, right)
  }

  /// The difference of an integer and a constant.
  @_disfavoredOverload
  public static func - (left: Query<T>, right: Double) -> Query<Double?> {
    left.computed(.subtract, Query<Double>(constant: right, left.scope))
  }

  /// The difference of a constant and an integer.
  @_disfavoredOverload
  public static func - (left: Double, right: Query<T>) -> Query<Double?> {
    Query<Double>(constant: left, right.scope).computed(.subtract, right)
  }

  /// The product of an integer and a constant.
  @_disfavoredOverload
  public static func * (left: Query<T>, right: Double) -> Query<Double?> {
    left.computed(.multiply, Query<Double>(constant: right, left.scope))
  }

  /// The product of a constant and an integer.
  @_disfavoredOverload
  public static func * (left: Double, right: Query<T>) -> Query<Double?> {
    Query<Double>(constant: left, right.scope).computed(.multiply, right)
  }

  /// The quotient of an integer and a constant.
  @_disfavoredOverload
  public static func / (left: Query<T>, right: Double) -> Query<Double?> {
    left.computed(.divide, Query<Double>(constant: right, left.scope))
  }

  /// The quotient of a constant and an integer.
  @_disfavoredOverload
  public static func / (left: Double, right: Query<T>) -> Query<Double?> {
    Query<Double>(constant: left, right.scope).computed(.divide, right)
  }
}

extension Query where T: _DecimalType {
  /// The sum of two decimals, one of which is optional.
  @_disfavoredOverload
  public static func + <U: _DecimalType>(
    left: Query<T>, right: Query<U>
  ) -> Query<Decimal128?> {
    left.computed(.add, right)
  }

  /// The difference of two decimals, one of which is optional.
  @_disfavoredOverload
  public static func - <U: _DecimalType>(
    left: Query<T>, right: Query<U>
  ) -> Query<Decimal128?> {
    left.computed(.subtract, right)
  }

  /// The product of two decimals, one of which is optional.
  @_disfavoredOverload
  public static func * <U: _DecimalType>(
    left: Query<T>, right: Query<U>
  ) -> Query<Decimal128?> {
    left.computed(.multiply, right)
  }

  /// The quotient of two decimals, one of which is optional.
  @_disfavoredOverload
  public static func / <U: _DecimalType>(
    left: Query<T>, right: Query<U>
  ) -> Query<Decimal128?> {
    left.computed(.divide, right)
  }
}
