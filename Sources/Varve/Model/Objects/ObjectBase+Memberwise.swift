// The memberwise initializers of classes. Their values are stored without running the observers of
// the properties.

extension ObjectBase {
  /// Sets the elements of a list of a new object. Called by generated code.
  public final func _$setList<Element: RealmCollectionValue>(_ slot: Int, _ elements: [Element]) {
    if !isEmptyAtFirst(slot, elements.isEmpty) { _$setBoxed(slot, _$boxedList(elements)) }
  }

  /// Sets the elements of a set of a new object. Called by generated code.
  public final func _$setSet<Element: RealmCollectionValue>(_ slot: Int, _ elements: Set<Element>) {
    if !isEmptyAtFirst(slot, elements.isEmpty) { _$setBoxed(slot, _$boxedSet(elements)) }
  }

  /// Sets the entries of a map of a new object. Called by generated code.
  public final func _$setMap<Key: _MapKey, Value: RealmCollectionValue>(
    _ slot: Int, _ entries: [Key: Value]
  ) {
    if !isEmptyAtFirst(slot, entries.isEmpty) { _$setBoxed(slot, _$boxedMap(entries)) }
  }

  /// Whether a new object has this content without being set.
  private func isEmptyAtFirst(_ slot: Int, _ isEmpty: Bool) -> Bool {
    // An overridden `init()` may have set the property.
    isEmpty && info.needsNoValue[slot] && isUnset(slot)
  }
}

/// Returns the type-erased form of a value. Called by generated code.
@inlinable
public func _$boxed<V: _Persistable>(_ value: V) -> _Boxed { value._$boxed }

/// Accepts a value that cannot be stored, whose property reports the error.
@_disfavoredOverload
public func _$boxed<V>(_ value: V) -> _Boxed { .unset }

/// Returns the type-erased form of a list. Called by generated code.
public func _$boxedList<Element: RealmCollectionValue>(_ elements: [Element]) -> _Boxed {
  List(elements)._$boxed
}

/// Returns the type-erased form of a set. Called by generated code.
public func _$boxedSet<Element: RealmCollectionValue>(_ elements: Set<Element>) -> _Boxed {
  MutableSet(elements)._$boxed
}

/// Returns the type-erased form of a map. Called by generated code.
public func _$boxedMap<Key: _MapKey, Value: RealmCollectionValue>(
  _ entries: [Key: Value]
) -> _Boxed {
  let map = Map<Key, Value>()
  map.setAll(entries.map { ($0._$key, $1) }, replacing: false)
  return map._$boxed
}
