import VarveCore

/// A property that is a map.
public protocol _QueryMap: _QueryCollection {
  /// The type of the keys.
  associatedtype _$Key: _MapKey
}

extension Map: _QueryMap {
  /// The type of the keys.
  public typealias _$Key = Key
}

extension Query where T: _QueryMap {
  /// The stored keys. A comparison is true when it is true for at least one key.
  ///
  /// ```swift
  /// files.where { $0.checksums.keys == "sha256" || $0.checksums.keys.starts(with: "md") }
  /// ```
  public var keys: Query<String> { appending([.keys]) }

  /// The values. A comparison is true when it is true for at least one value.
  public var values: Query<T._$Item> { elements }

  /// The value for a key; null when the map does not contain the key.
  public subscript(key: T._$Key) -> Query<T._$Item?> { appending([.key(key._$key)]) }
}

extension Query where T: _QueryMap, T._$Item: _QueryNullable {
  /// The value for a key; null when the map does not contain the key.
  public subscript(key: T._$Key) -> Query<T._$Item> { appending([.key(key._$key)]) }
}
