package import VarveCore
import VarveEncoding

/// A key type of ``Map``: `String`, or an enumeration with string raw values that conforms to
/// ``PersistableEnum`` and to this protocol.
public protocol _MapKey: Hashable, Sendable {
  /// The key in its stored form.
  var _$key: String { get }
  /// Creates a key from its stored form.
  init(_$key: String)
}

extension String: _MapKey {
  /// The key in its stored form.
  public var _$key: String { self }
  /// Creates a key from its stored form.
  public init(_$key: String) { self = _$key }
}

/// A dictionary with string keys that belongs to a property of an object.
///
/// ```swift
/// @Persisted var checksums: Map<String, String>
/// ```
///
/// Keys and values are in the order of the keys' UTF-8 bytes. Two keys are equal when their bytes
/// are equal; Unicode equivalence is ignored. A key must not contain `.` or start with `$`: such a
/// key marks the transaction as failed.
///
/// Thread safety: see ``List``.
public final class Map<Key: _MapKey, Value: RealmCollectionValue>: Sendable {
  /// A key and its value.
  public typealias Element = (key: Key, value: Value)

  package let handle: CollectionHandle
  /// The entries of an unmanaged map; nil for an instance that was made managed.
  let unmanaged: UnmanagedContent<UnmanagedMap<Value>>?

  /// Creates an empty unmanaged map.
  @_specialize(where Key == String, Value == Int)
  @_specialize(where Key == String, Value == String)
  @_specialize(where Key == String, Value == Double)
  public init() {
    handle = CollectionHandle()
    unmanaged = UnmanagedContent(UnmanagedMap())
  }

  package init(handle: CollectionHandle) {
    self.handle = handle
    unmanaged = nil
  }

  /// The realm of a managed map; nil for an unmanaged one.
  public var realm: Realm? { context.flatMap(Realm.of) }

  /// Whether the object that owns the map was deleted, or a map in an ``AnyRealmValue`` was removed
  /// or replaced. False for an unmanaged map.
  public var isInvalidated: Bool { handle.isManaged && !handle.exists }

  /// Whether the map is frozen: pinned to one version.
  public var isFrozen: Bool { context?.isFrozen ?? false }

  /// The number of entries, including those whose value is null.
  ///
  /// - Complexity: O(1).
  public var count: Int {
    unmanaged?.read(handle) { $0.entries.count } ?? handle.count
  }

  /// Whether the map is empty.
  public var isEmpty: Bool { count == 0 }

  /// The keys, in ascending order.
  ///
  /// - Complexity: O(n).
  public var keys: [Key] {
    if let entries = unmanagedCopy { return entries.map { Key(_$key: $0.key) } }
    if handle.context?.transaction != nil { return handle.dictionaryKeys.map { Key(_$key: $0) } }
    let walk = _MapWalk(handle, includingValues: false)
    var keys: [Key] = []
    keys.reserveCapacity(roomForElements(count))
    while let key = walk.nextKey() { keys.append(Key(_$key: key)) }
    return keys
  }

  /// The values, in the order of their keys.
  public var values: [Value] { storedEntries.map(\.value) }

  /// The entries with their stored keys, which an enumeration may not declare.
  var storedEntries: [(key: String, value: Value)] {
    unmanagedCopy ?? handle.dictionaryEntries.map { ($0.key, typed($0.value)) }
  }

  private var unmanagedCopy: [(key: String, value: Value)]? {
    unmanaged?.read(handle) { $0.entries }
  }

  private func typed(_ value: VarveEncoding.Value) -> Value { Value.typed(value, in: handle) }

  /// Accesses the value for a key; nil when the key is absent. Assigning nil removes the key.
  ///
  /// In a map of ``AnyRealmValue``, `map[key] = .none` is this nil and removes the key;
  /// `AnyRealmValue.none` is stored. In a map of optional values, `map[key] = .some(nil)` stores
  /// nil.
  ///
  /// - Complexity: O(log n).
  public subscript(key: Key) -> Value? {
    get {
      if handle.isManaged { return managedValue(forKey: key) }
      return unmanagedValue(forKey: key)
    }
    // Inlinable, because the metadata of `Value?` would otherwise be looked up for each value.
    @inlinable
    set {
      if let newValue {
        set(newValue, forKey: key)
      } else {
        removeObject(for: key)
      }
    }
  }

  @inline(__always)
  private func managedValue(forKey key: Key) -> Value? {
    Value._$value(of: _CollectionSource(handle: handle), forKey: key._$key)
  }

  private func unmanagedValue(forKey key: Key) -> Value? {
    let key = key._$key
    return switch unmanaged?.look(handle, { $0[key] }) {
    case .content(let value): value
    case .recorder(let recorder): Value._$recordingElement(recorder)
    case nil: Value._$value(of: _CollectionSource(handle: handle), forKey: key)
    }
  }

  /// Returns the value for a key; nil when the key is absent.
  public func object(forKey key: Key) -> Value? { self[key] }

  /// Returns whether the key is present, even if its value is null.
  public func contains(key: Key) -> Bool { self[key] != nil }

  /// Sets the value for a key.
  ///
  /// - Parameters:
  ///   - value: The new value. An unmanaged object is added to the realm of a managed map.
  ///   - key: The key.
  public func updateValue(_ value: Value, forKey key: Key) { set(value, forKey: key) }

  @_specialize(where Key == String, Value == Int)
  @_specialize(where Key == String, Value == String)
  @_specialize(where Key == String, Value == Double)
  @usableFromInline
  func set(_ value: Value, forKey key: Key) {
    let key = key._$key
    if change({ $0.set(value, forKey: key) }) { return }
    handle.edit { (transaction, _) throws(Failure) in
      let stored = try ObjectAdder.value(of: value._$boxed, in: handle, transaction)
      try transaction.setValue(stored, try handle.edited(in: transaction), forKey: key)
    }
  }

  /// Removes a key. Removing an absent key is not a change.
  public func removeObject(for key: Key) { removeEntry(forKey: key._$key) }

  /// Removes a key given in its stored form.
  func removeEntry(forKey key: String) {
    if change({ $0.set(nil, forKey: key) }) { return }
    handle.edit { (transaction, map) throws(Failure) in
      try transaction.removeValue(map, forKey: key)
    }
  }

  /// Removes several keys. Absent keys are skipped.
  public func removeObjects(forKeys keys: some Sequence<Key>) {
    for key in keys { removeObject(for: key) }
  }

  /// Removes all entries.
  public func removeAll() {
    if change({ $0.replace(with: UnmanagedMap()) }) { return }
    handle.edit { (transaction, map) throws(Failure) in try transaction.removeAllEntries(map) }
  }

  /// Merges the entries of a dictionary or of another map into this map.
  ///
  /// A key or value that is not allowed leaves the map unchanged. When `other` contains a key
  /// twice, `combine` receives the value merged first.
  /// - Parameters:
  ///   - other: The entries to merge.
  ///   - combine: Returns the value for a key that is in both, from the current and the new value.
  /// - Throws: The error that `combine` throws. The map is unchanged then.
  public func merge(
    _ other: some Sequence<(key: Key, value: Value)>,
    uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    var merged: [(key: String, value: Value)] = []
    var indexes: [[UInt8]: Int] = [:]
    for (key, value) in other {
      let bytes = Array(key._$key.utf8)
      if let index = indexes[bytes] {
        merged[index].value = try combine(merged[index].value, value)
      } else {
        indexes[bytes] = merged.count
        merged.append((key._$key, try self[key].map { try combine($0, value) } ?? value))
      }
    }
    setAll(merged, replacing: false)
  }

  /// Adds the entries of a dictionary or of another map, and replaces the values of existing keys.
  ///
  /// A key or value that is not allowed leaves the map unchanged. When `other` contains a key
  /// twice, the last value is used.
  public func addEntries(from other: some Sequence<(key: Key, value: Value)>) {
    setAll(other.map { ($0.key._$key, $0.value) }, replacing: false)
  }

  /// Replaces all entries.
  ///
  /// A key or value that is not allowed leaves the map unchanged. Setting a map to itself empties
  /// it.
  public func set(_ other: some Sequence<(key: Key, value: Value)>) {
    if let map = other as? Map, map === self || map.handle.isSame(as: handle) { return removeAll() }
    setAll(other.map { ($0.key._$key, $0.value) }, replacing: true)
  }

  /// Sets all entries. Nothing changes when an entry cannot be stored.
  func setAll(_ entries: [(key: String, value: Value)], replacing: Bool) {
    if let unmanaged, !handle.isManaged {
      let added = UnmanagedMap(entries)
      let wasSet = unmanaged.change(handle) { map in
        replacing ? map.replace(with: added) : map.merge(added)
      }
      if wasSet { return }
    }
    handle.edit { (transaction, map) throws(Failure) in
      for (key, _) in entries { try DictionaryRules.check(key, map) }
      var stored: [(key: String, value: VarveEncoding.Value)] = []
      for (key, value) in entries {
        stored.append((key, try ObjectAdder.value(of: value._$boxed, in: handle, transaction)))
      }
      try transaction.setValues(stored, try handle.edited(in: transaction), replacing: replacing)
    }
  }

  private func change<R: Sendable>(_ body: (inout UnmanagedMap<Value>) -> R) -> Bool {
    unmanaged?.change(handle, body) ?? false
  }
}
