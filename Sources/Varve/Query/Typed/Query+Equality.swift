import VarveCore

/// Both conditions.
public func && (left: Query<Bool>, right: Query<Bool>) -> Query<Bool> {
  Query(.and(left.condition, right.condition), left.scope.joined(right.scope))
}

/// Either condition.
public func || (left: Query<Bool>, right: Query<Bool>) -> Query<Bool> {
  Query(.or(left.condition, right.condition), left.scope.joined(right.scope))
}

/// Not the condition.
public prefix func ! (query: Query<Bool>) -> Query<Bool> {
  Query(.not(query.condition), query.scope)
}

extension Query where T: RealmCollectionValue {
  /// Equal to a value.
  public static func == (left: Query<T>, right: T) -> Query<Bool> { left.compare(.equal, right) }

  /// Not equal to a value.
  public static func != (left: Query<T>, right: T) -> Query<Bool> { left.compare(.notEqual, right) }

  /// Equal to a value.
  public static func == (left: T, right: Query<T>) -> Query<Bool> { right.compare(.equal, left) }

  /// Not equal to a value.
  public static func != (left: T, right: Query<T>) -> Query<Bool> { right.compare(.notEqual, left) }

  /// Equal to another property; of conditions: both hold, or neither does.
  public static func == (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.equal, right)
  }

  /// Not equal to another property; of conditions: one of them holds.
  public static func != (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.notEqual, right)
  }

  /// Among some values; null is when nil is one of them.
  public func `in`(_ values: some Sequence<T>) -> Query<Bool> {
    isAmong(values)
  }
}

extension Query {
  /// Among some values, which null is not.
  @_disfavoredOverload
  public func `in`<V: RealmCollectionValue>(
    _ values: some Sequence<V>
  ) -> Query<Bool> where T == V? {
    isAmong(values)
  }
}

extension Query where T: _QueryScalar {
  /// Equal to another property of the same type, one of them optional; of numbers: of any types.
  @_disfavoredOverload
  public static func == <U: _QueryScalar>(
    left: Query<T>, right: Query<U>
  ) -> Query<Bool> where U._$Family == T._$Family {
    left.compare(.equal, right)
  }

  /// Not equal to another property of the same type, one of them optional; of numbers: of any types.
  @_disfavoredOverload
  public static func != <U: _QueryScalar>(
    left: Query<T>, right: Query<U>
  ) -> Query<Bool> where U._$Family == T._$Family {
    left.compare(.notEqual, right)
  }

  /// The value as one of any type, to be compared with properties of other types: `$0.mixed == $0.age.anyValue`.
  public var anyValue: Query<AnyRealmValue> { retyped() }
}

extension Query where T: _OptionalObject {
  /// The link as a value of any type, to be compared with one: `$0.mixed == $0.owner.anyValue`.
  public var anyValue: Query<AnyRealmValue> { retyped() }
}

extension Query where T: _QueryRoot {
  /// Whether a link leads to the object.
  @_disfavoredOverload
  public static func == (left: Query<T>, right: Query<T?>) -> Query<Bool> {
    left.compare(.equal, right)
  }

  /// Whether a link leads elsewhere, or nowhere.
  @_disfavoredOverload
  public static func != (left: Query<T>, right: Query<T?>) -> Query<Bool> {
    left.compare(.notEqual, right)
  }

  /// Whether a link leads to the object.
  @_disfavoredOverload
  public static func == (left: Query<T?>, right: Query<T>) -> Query<Bool> {
    left.compare(.equal, right)
  }

  /// Whether a link leads elsewhere, or nowhere.
  @_disfavoredOverload
  public static func != (left: Query<T?>, right: Query<T>) -> Query<Bool> {
    left.compare(.notEqual, right)
  }
}
