import VarveCore

/// A map of any type, whose entries are changed by their stored keys.
protocol PatchedMap: _AnyCollection {
  /// Returns the value for a key; nil when the key is absent.
  func box(forKey key: String) -> _Boxed?
  /// Sets the value for a key.
  func setEntry(_ box: _Boxed, forKey key: String)
  /// Removes a key.
  func removeEntry(forKey key: String)
}

extension Map: PatchedMap {
  func box(forKey key: String) -> _Boxed? {
    let known = Key(_$key: key)
    if known._$key == key { return self[known]?._$boxed }
    // A key that an enumeration does not know.
    return storedEntries.first { $0.key == key }?.value._$boxed
  }

  func setEntry(_ box: _Boxed, forKey key: String) {
    if let value = Value._$unboxed(box, source) { setAll([(key, value)], replacing: false) }
  }
}
