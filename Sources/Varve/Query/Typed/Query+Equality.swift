import VarveCore

/// Whether both conditions are true.
public func && (left: Query<Bool>, right: Query<Bool>) -> Query<Bool> {
  Query(.and(left.condition, right.condition), left.scope.joined(right.scope))
}

/// Whether at least one of two conditions is true.
public func || (left: Query<Bool>, right: Query<Bool>) -> Query<Bool> {
  Query(.or(left.condition, right.condition), left.scope.joined(right.scope))
}

/// Whether a condition is false.
public prefix func ! (query: Query<Bool>) -> Query<Bool> {
  Query(.not(query.condition), query.scope)
}

extension Query where T: RealmCollectionValue {
  /// Whether a property is equal to a value.
  public static func == (left: Query<T>, right: T) -> Query<Bool> { left.compare(.equal, right) }

  /// Whether a property differs from a value.
  public static func != (left: Query<T>, right: T) -> Query<Bool> { left.compare(.notEqual, right) }

  /// Whether a property is equal to a value.
  public static func == (left: T, right: Query<T>) -> Query<Bool> { right.compare(.equal, left) }

  /// Whether a property differs from a value.
  public static func != (left: T, right: Query<T>) -> Query<Bool> { right.compare(.notEqual, left) }

  /// Whether two properties are equal, or two conditions have the same result.
  public static func == (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.equal, right)
  }

  /// Whether two properties differ, or exactly one of two conditions is true.
  public static func != (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.notEqual, right)
  }

  /// Whether the value is one of several values. Null matches when nil is one of them.
  public func `in`(_ values: some Sequence<T>) -> Query<Bool> {
    isAmong(values)
  }
}

extension Query {
  /// Whether the value is one of several values. Null never matches.
  @_disfavoredOverload
  public func `in`<V: RealmCollectionValue>(
    _ values: some Sequence<V>
  ) -> Query<Bool> where T == V? {
    isAmong(values)
  }
}

extension Query where T: _QueryScalar {
  /// Whether two properties of the same type, one of them optional, are equal. Numbers may be of
  /// different types.
  @_disfavoredOverload
  public static func == <U: _QueryScalar>(
    left: Query<T>, right: Query<U>
  ) -> Query<Bool> where U._$Family == T._$Family {
    left.compare(.equal, right)
  }

  /// Whether two properties of the same type, one of them optional, differ. Numbers may be of
  /// different types.
  @_disfavoredOverload
  public static func != <U: _QueryScalar>(
    left: Query<T>, right: Query<U>
  ) -> Query<Bool> where U._$Family == T._$Family {
    left.compare(.notEqual, right)
  }

  /// The value as an ``AnyRealmValue``, to compare it with properties of other types:
  /// `$0.mixed == $0.age.anyValue`.
  public var anyValue: Query<AnyRealmValue> { retyped() }
}

extension Query where T: _OptionalObject {
  /// The link as an ``AnyRealmValue``, to compare it with one: `$0.mixed == $0.owner.anyValue`.
  public var anyValue: Query<AnyRealmValue> { retyped() }
}

extension Query where T: _QueryRoot {
  /// Whether a link refers to the object.
  @_disfavoredOverload
  public static func == (left: Query<T>, right: Query<T?>) -> Query<Bool> {
    left.compare(.equal, right)
  }

  /// Whether a link refers to another object or is null.
  @_disfavoredOverload
  public static func != (left: Query<T>, right: Query<T?>) -> Query<Bool> {
    left.compare(.notEqual, right)
  }

  /// Whether a link refers to the object.
  @_disfavoredOverload
  public static func == (left: Query<T?>, right: Query<T>) -> Query<Bool> {
    left.compare(.equal, right)
  }

  /// Whether a link refers to another object or is null.
  @_disfavoredOverload
  public static func != (left: Query<T?>, right: Query<T>) -> Query<Bool> {
    left.compare(.notEqual, right)
  }
}
