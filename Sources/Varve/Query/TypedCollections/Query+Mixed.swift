import VarveCore

// Lists and dictionaries that are nested in a value of any type.

extension Query where T == AnyRealmValue {
  /// The element at a position of a nested list; null where there is none, or no list.
  ///
  /// - Precondition: the position is not negative.
  public subscript(position: Int) -> Query<AnyRealmValue> { element(at: position) }

  /// The value of a key of a nested dictionary; null where there is none, or no dictionary.
  ///
  /// ```swift
  /// settings.where { $0.value["sizes"][0] == 1 }
  /// ```
  public subscript(key: String) -> Query<AnyRealmValue> { appending([.key(key)]) }

  /// The elements of a nested list, the values of a nested dictionary: a comparison with them holds when it does for one.
  public subscript(each: _QueryEach) -> Query<AnyRealmValue> { appending([.elements]) }

  /// As `[.any]`.
  public var any: Query<AnyRealmValue> { appending([.elements]) }

  /// The first element of a nested list; null where there is none, or no list.
  public var first: Query<AnyRealmValue> { appending([.element(.first)]) }

  /// The last element of a nested list; null where there is none, or no list.
  public var last: Query<AnyRealmValue> { appending([.element(.last)]) }

  /// The keys of a nested dictionary: a comparison with them holds when it does for one.
  public var keys: Query<String> { appending([.keys]) }

  /// The number of elements of a nested list, of values of a nested dictionary.
  public var count: Query<Int> {
    let elements: Query<AnyRealmValue> = appending([.elements])
    return elements.aggregate(.count)
  }

  /// The name of the value's type: `int`, `string`, `object`, `list`, `dictionary`, `null` and so on.
  public var typeName: Query<String> { appending([.type]) }
}
