import VarveCore

/// A property whose values have keys.
public protocol _QueryMap: _QueryCollection {
  /// The type of the keys.
  associatedtype _$Key: _MapKey
}

extension Map: _QueryMap {
  /// The keys.
  public typealias _$Key = Key
}

extension Query where T: _QueryMap {
  /// The keys, as they are stored: a comparison with them holds when it does for one.
  ///
  /// ```swift
  /// files.where { $0.checksums.keys == "sha256" || $0.checksums.keys.starts(with: "md") }
  /// ```
  public var keys: Query<String> { appending([.keys]) }

  /// The values: a comparison with them holds when it does for one.
  public var values: Query<T._$Item> { elements }

  /// The value of a key; null where there is none.
  public subscript(key: T._$Key) -> Query<T._$Item?> { appending([.key(key._$key)]) }
}

extension Query where T: _QueryMap, T._$Item: _QueryNullable {
  /// The value of a key; null where there is none.
  public subscript(key: T._$Key) -> Query<T._$Item> { appending([.key(key._$key)]) }
}
