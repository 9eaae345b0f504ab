// Names that the Realm SDK has for what is here under another one.

/// ``PersistableEnum``.
public typealias RealmEnum = PersistableEnum

/// What a ``RealmOptional`` may hold.
public typealias RealmOptionalType = _Persistable

/// A collection of values with keys: ``Map``.
public protocol RealmKeyedCollection: Sequence, ThreadConfined {
  /// The type of the keys.
  associatedtype Key: _MapKey
  /// The type of the values.
  associatedtype Value: RealmCollectionValue

  /// The number of entries.
  var count: Int { get }
  /// Whether there is no entry.
  var isEmpty: Bool { get }
  /// The keys, in their order.
  var keys: [Key] { get }
  /// The values, in the order of their keys.
  var values: [Value] { get }
  /// The value of a key; nil when there is none. Nil assigned takes the entry out.
  subscript(key: Key) -> Value? { get nonmutating set }
  /// Sets the value of a key.
  func updateValue(_ value: Value, forKey key: Key)
  /// Takes an entry out.
  func removeObject(for key: Key)
  /// Takes all entries out.
  func removeAll()
}

extension Map: RealmKeyedCollection {}
