import VarveCore

// Lists and dictionaries nested in a value of any type.

extension Query where T == AnyRealmValue {
  /// The element at an index of a nested list; null when the index is out of bounds or the value is
  /// not a list.
  ///
  /// - Precondition: The index is not negative.
  public subscript(position: Int) -> Query<AnyRealmValue> { element(at: position) }

  /// The value for a key of a nested dictionary; null when the dictionary does not contain the key
  /// or the value is not a dictionary.
  ///
  /// ```swift
  /// settings.where { $0.value["sizes"][0] == 1 }
  /// ```
  public subscript(key: String) -> Query<AnyRealmValue> { appending([.key(key)]) }

  /// The elements of a nested list or the values of a nested dictionary. A comparison is true when
  /// it is true for at least one of them.
  public subscript(each: _QueryEach) -> Query<AnyRealmValue> { appending([.elements]) }

  /// The elements of a nested list or the values of a nested dictionary. The same as `[.any]`.
  public var any: Query<AnyRealmValue> { appending([.elements]) }

  /// The first element of a nested list; null when the list is empty or the value is not a list.
  public var first: Query<AnyRealmValue> { appending([.element(.first)]) }

  /// The last element of a nested list; null when the list is empty or the value is not a list.
  public var last: Query<AnyRealmValue> { appending([.element(.last)]) }

  /// The keys of a nested dictionary. A comparison is true when it is true for at least one key.
  public var keys: Query<String> { appending([.keys]) }

  /// The number of elements of a nested list, or of values of a nested dictionary.
  public var count: Query<Int> {
    let elements: Query<AnyRealmValue> = appending([.elements])
    return elements.aggregate(.count)
  }

  /// The name of the value's type: `int`, `string`, `object`, `list`, `dictionary`, `null` and so
  /// on.
  public var typeName: Query<String> { appending([.type]) }
}
