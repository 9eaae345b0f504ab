import VarveCore

// Values that are stored as others are compared by what is stored of them.

extension Query where T: _CustomPersistable, T.PersistedType: _QueryComparable {
  /// Less than a value, by what is stored of both.
  public static func < (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.less, right)
  }

  /// Less than another property, by what is stored of both.
  public static func < (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.less, right)
  }

  /// Less than or equal to a value, by what is stored of both.
  public static func <= (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.lessOrEqual, right)
  }

  /// Less than or equal to another property, by what is stored of both.
  public static func <= (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.lessOrEqual, right)
  }

  /// Greater than a value, by what is stored of both.
  public static func > (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.greater, right)
  }

  /// Greater than another property, by what is stored of both.
  public static func > (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.greater, right)
  }

  /// Greater than or equal to a value, by what is stored of both.
  public static func >= (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.greaterOrEqual, right)
  }

  /// Greater than or equal to another property, by what is stored of both.
  public static func >= (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.greaterOrEqual, right)
  }
}

extension Query {
  /// Less than a value, by what is stored of both; false for null.
  @_disfavoredOverload
  public static func < <V: _CustomPersistable>(
    left: Query<T>, right: V
  ) -> Query<Bool> where T == V?, V.PersistedType: _QueryComparable {
    left.compare(.less, right)
  }

  /// Less than or equal to a value, by what is stored of both; false for null.
  @_disfavoredOverload
  public static func <= <V: _CustomPersistable>(
    left: Query<T>, right: V
  ) -> Query<Bool> where T == V?, V.PersistedType: _QueryComparable {
    left.compare(.lessOrEqual, right)
  }

  /// Greater than a value, by what is stored of both; false for null.
  @_disfavoredOverload
  public static func > <V: _CustomPersistable>(
    left: Query<T>, right: V
  ) -> Query<Bool> where T == V?, V.PersistedType: _QueryComparable {
    left.compare(.greater, right)
  }

  /// Greater than or equal to a value, by what is stored of both; false for null.
  @_disfavoredOverload
  public static func >= <V: _CustomPersistable>(
    left: Query<T>, right: V
  ) -> Query<Bool> where T == V?, V.PersistedType: _QueryComparable {
    left.compare(.greaterOrEqual, right)
  }
}

extension Query where T: _OptionalCustomPersistable, T._$Persisted: _QueryComparable {
  /// Less than another optional property, by the stored values; false for null.
  public static func < (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.less, right)
  }

  /// Less than or equal to another optional property, by the stored values; of null, to null only.
  public static func <= (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.lessOrEqual, right)
  }

  /// Greater than another optional property, by the stored values; false for null.
  public static func > (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.greater, right)
  }

  /// Greater than or equal to another optional property, by the stored values; of null, to null
  /// only.
  public static func >= (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.greaterOrEqual, right)
  }
}
