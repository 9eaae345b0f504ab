import VarveCore

/// An optional of a type that is stored as a value of another type.
public protocol _OptionalCustomPersistable {
  /// The stored type, which is also an optional.
  associatedtype _$Persisted: _Persistable, RealmCollectionValue
}

extension Optional: _OptionalCustomPersistable where Wrapped: _CustomPersistable {
  /// The stored type.
  public typealias _$Persisted = Wrapped.PersistedType?
}

/// An optional of an enumeration that is stored as its raw value.
public protocol _OptionalPersistableEnum: _OptionalCustomPersistable {}

extension Optional: _OptionalPersistableEnum where Wrapped: PersistableEnum {}

extension Query where T: _CustomPersistable {
  /// The stored value.
  public var persistableValue: Query<T.PersistedType> { retyped() }
}

extension Query where T: _OptionalCustomPersistable {
  /// The stored value.
  public var persistableValue: Query<T._$Persisted> { retyped() }
}

extension Query where T: _QueryCollection, T._$Item: _CustomPersistable {
  /// The stored values.
  @_disfavoredOverload
  public var persistableValue: Query<List<T._$Item.PersistedType>> { retyped() }
}

extension Query where T: _QueryCollection, T._$Item: _OptionalCustomPersistable {
  /// The stored values.
  @_disfavoredOverload
  public var persistableValue: Query<List<T._$Item._$Persisted>> { retyped() }
}

extension Query where T: _QueryCollection, T._$Item: PersistableEnum {
  /// The raw values of the cases.
  @_disfavoredOverload
  public var rawValue: Query<List<T._$Item.RawValue>> { retyped() }
}

extension Query where T: _QueryCollection, T._$Item: _OptionalPersistableEnum {
  /// The raw values of the cases.
  @_disfavoredOverload
  public var rawValue: Query<List<T._$Item._$Persisted>> { retyped() }
}

extension Query where T: PersistableEnum {
  /// The raw value of the case.
  public var rawValue: Query<T.RawValue> { retyped() }
}

extension Query where T: _OptionalPersistableEnum {
  /// The raw value of the case.
  public var rawValue: Query<T._$Persisted> { retyped() }
}

extension Query where T: _QueryMap, T._$Item: _CustomPersistable {
  /// The stored values, under the same keys.
  public var persistableValue: Query<Map<T._$Key, T._$Item.PersistedType>> { retyped() }
}

extension Query where T: _QueryMap, T._$Item: _OptionalCustomPersistable {
  /// The stored values, under the same keys.
  public var persistableValue: Query<Map<T._$Key, T._$Item._$Persisted>> { retyped() }
}

extension Query where T: _QueryMap, T._$Item: PersistableEnum {
  /// The raw values, under the same keys.
  public var rawValue: Query<Map<T._$Key, T._$Item.RawValue>> { retyped() }
}

extension Query where T: _QueryMap, T._$Item: _OptionalPersistableEnum {
  /// The raw values, under the same keys.
  public var rawValue: Query<Map<T._$Key, T._$Item._$Persisted>> { retyped() }
}
