import VarveCore

// Values of custom persistable types are compared by their stored values.

extension Query where T: _CustomPersistable, T.PersistedType: _QueryComparable {
  /// Whether a property is less than a value, by the stored values.
  public static func < (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.less, right)
  }

  /// Whether a property is less than another one, by the stored values.
  public static func < (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.less, right)
  }

  /// Whether a property is less than or equal to a value, by the stored values.
  public static func <= (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.lessOrEqual, right)
  }

  /// Whether a property is less than or equal to another one, by the stored values.
  public static func <= (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.lessOrEqual, right)
  }

  /// Whether a property is greater than a value, by the stored values.
  public static func > (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.greater, right)
  }

  /// Whether a property is greater than another one, by the stored values.
  public static func > (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.greater, right)
  }

  /// Whether a property is greater than or equal to a value, by the stored values.
  public static func >= (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.greaterOrEqual, right)
  }

  /// Whether a property is greater than or equal to another one, by the stored values.
  public static func >= (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.greaterOrEqual, right)
  }
}

extension Query {
  /// Whether an optional property is less than a value, by the stored values. False for null.
  @_disfavoredOverload
  public static func < <V: _CustomPersistable>(
    left: Query<T>, right: V
  ) -> Query<Bool> where T == V?, V.PersistedType: _QueryComparable {
    left.compare(.less, right)
  }

  /// Whether an optional property is less than or equal to a value, by the stored values. False for
  /// null.
  @_disfavoredOverload
  public static func <= <V: _CustomPersistable>(
    left: Query<T>, right: V
  ) -> Query<Bool> where T == V?, V.PersistedType: _QueryComparable {
    left.compare(.lessOrEqual, right)
  }

  /// Whether an optional property is greater than a value, by the stored values. False for null.
  @_disfavoredOverload
  public static func > <V: _CustomPersistable>(
    left: Query<T>, right: V
  ) -> Query<Bool> where T == V?, V.PersistedType: _QueryComparable {
    left.compare(.greater, right)
  }

  /// Whether an optional property is greater than or equal to a value, by the stored values. False
  /// for null.
  @_disfavoredOverload
  public static func >= <V: _CustomPersistable>(
    left: Query<T>, right: V
  ) -> Query<Bool> where T == V?, V.PersistedType: _QueryComparable {
    left.compare(.greaterOrEqual, right)
  }
}

extension Query where T: _OptionalCustomPersistable, T._$Persisted: _QueryComparable {
  /// Whether an optional property is less than another one, by the stored values. False for null.
  public static func < (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.less, right)
  }

  /// Whether an optional property is less than or equal to another one, by the stored values. Null
  /// matches only null.
  public static func <= (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.lessOrEqual, right)
  }

  /// Whether an optional property is greater than another one, by the stored values. False for
  /// null.
  public static func > (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.greater, right)
  }

  /// Whether an optional property is greater than or equal to another one, by the stored values.
  /// Null matches only null.
  public static func >= (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.greaterOrEqual, right)
  }
}
