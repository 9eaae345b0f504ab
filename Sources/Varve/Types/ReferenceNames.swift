// Names of the Realm SDK for types that have another name here.

/// The Realm SDK's name for ``PersistableEnum``.
public typealias RealmEnum = PersistableEnum

/// A type that a ``RealmOptional`` can contain.
public typealias RealmOptionalType = _Persistable

/// A collection of values with keys: ``Map``.
public protocol RealmKeyedCollection: Sequence, ThreadConfined {
  /// The type of the keys.
  associatedtype Key: _MapKey
  /// The type of the values.
  associatedtype Value: RealmCollectionValue

  /// The number of entries.
  var count: Int { get }
  /// Whether the collection is empty.
  var isEmpty: Bool { get }
  /// The keys, in order.
  var keys: [Key] { get }
  /// The values, in the order of their keys.
  var values: [Value] { get }
  /// The value for a key; nil when there is none. Assigning nil removes the entry.
  subscript(key: Key) -> Value? { get nonmutating set }
  /// Sets the value for a key.
  func updateValue(_ value: Value, forKey key: Key)
  /// Removes an entry.
  func removeObject(for key: Key)
  /// Removes all entries.
  func removeAll()
}

extension Map: RealmKeyedCollection {}
