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

  package let cell: CollectionCell
  /// The entries of an unmanaged map; nil for a handle that was made managed.
  let unmanaged: UnmanagedContent<UnmanagedMap<Value>>?

  /// Makes an empty unmanaged map.
  public init() {
    cell = CollectionCell()
    unmanaged = UnmanagedContent(UnmanagedMap())
  }

  package init(cell: CollectionCell) {
    self.cell = cell
    unmanaged = nil
  }

  var context: ReadContext? { cell.context }
  var source: _ReadSource? { cell.readSource }

  /// The realm of a managed map; nil for an unmanaged one.
  public var realm: Realm? { context.flatMap(Realm.of) }

  /// Whether the object that owns the map was deleted, or a map in an ``AnyRealmValue`` was removed or replaced.
  /// False for an unmanaged map.
  public var isInvalidated: Bool { cell.isTied && !cell.exists }

  /// Whether the map is pinned to one version.
  public var isFrozen: Bool { context?.isFrozen ?? false }

  /// The number of entries, those with null included.
  ///
  /// - Complexity: O(1).
  public var count: Int {
    unmanaged?.read(cell) { $0.entries.count } ?? cell.count
  }

  /// Whether there is no entry.
  public var isEmpty: Bool { count == 0 }

  /// The keys, in order.
  public var keys: [Key] {
    if let entries = unmanagedCopy { return entries.map { Key(_$key: $0.key) } }
    return cell.dictionaryKeys.map { Key(_$key: $0) }
  }

  /// The values, in the order of their keys.
  public var values: [Value] { entries.map(\.value) }

  /// The entries, in the order of their keys.
  var entries: [Element] {
    if let entries = unmanagedCopy { return entries.map { (Key(_$key: $0.key), $0.value) } }
    return cell.dictionaryEntries.map { (Key(_$key: $0.key), typed($0.value)) }
  }

  private var unmanagedCopy: [(key: String, value: Value)]? {
    unmanaged?.read(cell) { $0.entries }
  }

  private func typed(_ value: VarveEncoding.Value) -> Value { Value.typed(value, in: cell) }

  /// The value under a key; nil when the key is absent. Setting nil removes the key.
  ///
  /// - Complexity: O(log n).
  public subscript(key: Key) -> Value? {
    get {
      if cell.isTied { return managedValue(forKey: key) }
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
    Value._$value(of: _MapSource(cell: cell), forKey: key._$key)
  }

  private func unmanagedValue(forKey key: Key) -> Value? {
    if let recorder = unmanaged?.recorder { return Value._$recordingElement(recorder) }
    let found = unmanaged?.read(cell) { entries -> Value? in entries[key._$key] }
    return found ?? managedValue(forKey: key)
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

  private func set(_ value: Value, forKey key: Key) {
    if change({ $0[key._$key] = value }) { return }
    cell.edit { (transaction, _) throws(Failure) in
      let stored = try ObjectAdder.value(of: value._$boxed, in: cell, transaction)
      try transaction.setValue(stored, try cell.edited(in: transaction), forKey: key._$key)
    }
  }

  /// Removes a key; an absent one is no change.
  public func removeObject(for key: Key) {
    if change({ $0[key._$key] = nil }) { return }
    cell.edit { (transaction, map) throws(Failure) in
      try transaction.removeValue(map, forKey: key._$key)
    }
  }

  /// Removes several keys; absent ones are skipped.
  public func removeObjects(forKeys keys: some Sequence<Key>) {
    for key in keys { removeObject(for: key) }
  }

  /// Removes every key.
  public func removeAll() {
    if change({ $0.entries = [] }) { return }
    cell.edit { (transaction, map) throws(Failure) in try transaction.removeAllEntries(map) }
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
    var settled = UnmanagedMap<Value>()
    for (key, value) in other {
      let old = settled[key._$key] ?? self[key]
      settled[key._$key] = try old.map { try combine($0, value) } ?? value
    }
    setAll(settled.entries.map { (Key(_$key: $0.key), $0.value) }, replacing: false)
  }

  /// Takes over the entries of a dictionary or another map, in place of those that are under their keys.
  ///
  /// A key or a value that is not allowed changes nothing. Of a key that comes twice the last value stays.
  /// - Parameter other: the entries.
  public func addEntries(from other: some Sequence<(key: Key, value: Value)>) {
    setAll(other.map { ($0.key, $0.value) }, replacing: false)
  }

  /// Replaces all entries.
  ///
  /// A key or a value that is not allowed changes nothing. A map that is set to itself ends empty.
  /// - Parameter other: the entries.
  public func set(_ other: some Sequence<(key: Key, value: Value)>) {
    if let map = other as? Map, map == self { return removeAll() }
    setAll(other.map { ($0.key, $0.value) }, replacing: true)
  }

  /// Sets all entries, or none of them.
  func setAll(_ entries: [(Key, Value)], replacing: Bool) {
    let wasSet = change { map in
      if replacing { map.entries = [] }
      for (key, value) in entries { map[key._$key] = value }
    }
    if wasSet { return }
    cell.edit { (transaction, map) throws(Failure) in
      for (key, _) in entries { try DictionaryRules.check(key._$key, map) }
      var stored: [(key: String, value: VarveEncoding.Value)] = []
      for (key, value) in entries {
        stored.append(
          (key._$key, try ObjectAdder.value(of: value._$boxed, in: cell, transaction)))
      }
      try transaction.setValues(stored, try cell.edited(in: transaction), replacing: replacing)
    }
  }

  private func change(_ body: (inout UnmanagedMap<Value>) -> Void) -> Bool {
    unmanaged?.change(cell, body) ?? false
  }
}

/// The entries of an unmanaged map, in the order of the keys' bytes.
struct UnmanagedMap<Value: Sendable>: Sendable {
  var entries: [(key: String, value: Value)] = []

  subscript(key: String) -> Value? {
    get {
      let place = place(of: key)
      return place < entries.count && UnmanagedMap.isSame(entries[place].key, key)
        ? entries[place].value : nil
    }
    set {
      let place = place(of: key)
      let isPresent = place < entries.count && UnmanagedMap.isSame(entries[place].key, key)
      if let newValue {
        if isPresent {
          entries[place].value = newValue
        } else {
          entries.insert((key, newValue), at: place)
        }
      } else if isPresent {
        entries.remove(at: place)
      }
    }
  }

  private func place(of key: String) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].key.utf8.lexicographicallyPrecedes(key.utf8) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private static func isSame(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
}
