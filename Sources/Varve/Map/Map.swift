package import VarveCore
import VarveEncoding

/// A key type of ``Map``: `String`, and an enumeration of strings that conforms to ``PersistableEnum`` and to this.
public protocol _MapKey: Hashable, Sendable {
  /// The key as it is stored.
  var _$key: String { get }
  /// The key from its stored form.
  init(_$key: String)
}

extension String: _MapKey {
  /// The key as it is stored.
  public var _$key: String { self }
  /// The key from its stored form.
  public init(_$key: String) { self = _$key }
}

/// A dictionary with string keys that belongs to a property of an object.
///
/// ```swift
/// @Persisted var checksums: Map<String, String>
/// ```
///
/// Keys and values come in the order of the keys' UTF-8 bytes. Two keys are the same when their bytes
/// are, whatever Unicode says of them. A key must not contain `.` nor start with `$`: such a key dooms
/// the write.
///
/// Thread safety: as ``List``.
public final class Map<Key: _MapKey, Value: RealmCollectionValue>: Sendable {
  /// A key and its value.
  public typealias Element = (key: Key, value: Value)

  package let handle: CollectionHandle
  /// The entries of an unmanaged map; nil for a handle that was made managed.
  let unmanaged: UnmanagedContent<UnmanagedMap<Value>>?

  /// Makes an empty unmanaged map.
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

  /// Whether the object that owns the map was deleted, or a map in an ``AnyRealmValue`` was removed or replaced.
  /// False for an unmanaged map.
  public var isInvalidated: Bool { handle.isManaged && !handle.exists }

  /// Whether the map is pinned to one version.
  public var isFrozen: Bool { context?.isFrozen ?? false }

  /// The number of entries, those with null included.
  ///
  /// - Complexity: O(1).
  public var count: Int {
    unmanaged?.read(handle) { $0.entries.count } ?? handle.count
  }

  /// Whether there is no entry.
  public var isEmpty: Bool { count == 0 }

  /// The keys, in order.
  ///
  /// - Complexity: O(n).
  public var keys: [Key] {
    if let entries = unmanagedCopy { return entries.map { Key(_$key: $0.key) } }
    if handle.context?.transaction != nil { return handle.dictionaryKeys.map { Key(_$key: $0) } }
    let walk = _MapWalk(handle, wantsValues: false)
    var keys: [Key] = []
    keys.reserveCapacity(roomForElements(count))
    while let key = walk.nextKey() { keys.append(Key(_$key: key)) }
    return keys
  }

  /// The values, in the order of their keys.
  public var values: [Value] { storedEntries.map(\.value) }

  /// The entries with the keys that are stored, of which an enumeration may not know each.
  var storedEntries: [(key: String, value: Value)] {
    unmanagedCopy ?? handle.dictionaryEntries.map { ($0.key, typed($0.value)) }
  }

  private var unmanagedCopy: [(key: String, value: Value)]? {
    unmanaged?.read(handle) { $0.entries }
  }

  private func typed(_ value: VarveEncoding.Value) -> Value { Value.typed(value, in: handle) }

  /// The value under a key; nil when the key is absent. Setting nil removes the key.
  ///
  /// - Complexity: O(log n).
  public subscript(key: Key) -> Value? {
    get {
      if handle.isManaged { return managedValue(forKey: key) }
      return unmanagedValue(forKey: key)
    }
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

  /// The value under a key; nil when the key is absent.
  public func object(forKey key: Key) -> Value? { self[key] }

  /// Whether the key is present, with a value or with null.
  public func contains(key: Key) -> Bool { self[key] != nil }

  /// Sets the value under a key.
  ///
  /// - Parameters:
  ///   - value: the new value; an unmanaged object is added to the realm of a managed map.
  ///   - key: the key.
  public func updateValue(_ value: Value, forKey key: Key) { set(value, forKey: key) }

  @_specialize(where Key == String, Value == Int)
  @_specialize(where Key == String, Value == String)
  @_specialize(where Key == String, Value == Double)
  private func set(_ value: Value, forKey key: Key) {
    let key = key._$key
    if change({ $0.set(value, forKey: key) }) { return }
    handle.edit { (transaction, _) throws(Failure) in
      let stored = try ObjectAdder.value(of: value._$boxed, in: handle, transaction)
      try transaction.setValue(stored, try handle.edited(in: transaction), forKey: key)
    }
  }

  /// Removes a key; an absent one is no change.
  public func removeObject(for key: Key) {
    let key = key._$key
    if change({ $0.set(nil, forKey: key) }) { return }
    handle.edit { (transaction, map) throws(Failure) in
      try transaction.removeValue(map, forKey: key)
    }
  }

  /// Removes several keys; absent ones are skipped.
  public func removeObjects(forKeys keys: some Sequence<Key>) {
    for key in keys { removeObject(for: key) }
  }

  /// Removes every key.
  public func removeAll() {
    if change({ $0.replace(with: UnmanagedMap()) }) { return }
    handle.edit { (transaction, map) throws(Failure) in try transaction.removeAllEntries(map) }
  }

  /// Takes over the entries of a dictionary or another map.
  ///
  /// A key or a value that is not allowed changes nothing. A key that comes twice meets the value that
  /// it got first.
  /// - Parameters:
  ///   - other: the entries.
  ///   - combine: gives the value for a key that both have.
  /// - Throws: what `combine` throws; nothing is changed then.
  public func merge(
    _ other: some Sequence<(key: Key, value: Value)>,
    uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    var merged: [(key: String, value: Value)] = []
    var places: [[UInt8]: Int] = [:]
    for (key, value) in other {
      let bytes = Array(key._$key.utf8)
      if let place = places[bytes] {
        merged[place].value = try combine(merged[place].value, value)
      } else {
        places[bytes] = merged.count
        merged.append((key._$key, try self[key].map { try combine($0, value) } ?? value))
      }
    }
    setAll(merged, replacing: false)
  }

  /// Takes over the entries of a dictionary or another map, in place of those that are under their keys.
  ///
  /// A key or a value that is not allowed changes nothing. Of a key that comes twice the last value stays.
  /// - Parameter other: the entries.
  public func addEntries(from other: some Sequence<(key: Key, value: Value)>) {
    setAll(other.map { ($0.key._$key, $0.value) }, replacing: false)
  }

  /// Replaces all entries.
  ///
  /// A key or a value that is not allowed changes nothing. A map that is set to itself ends empty.
  /// - Parameter other: the entries.
  public func set(_ other: some Sequence<(key: Key, value: Value)>) {
    if let map = other as? Map, map === self || map.handle.isSame(as: handle) { return removeAll() }
    setAll(other.map { ($0.key._$key, $0.value) }, replacing: true)
  }

  /// Sets all entries, or none of them.
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
