import VarveEncoding
import VarveLocks

/// The defaults that this process has made for objects that lack them, until they are stored.
///
/// Every read of one property of one object returns the same value, and that value is stored.
/// Readers of versions from before it was stored still get it; in a later version, an object that
/// lacks the default is another one with the same key. A store that is only read keeps at most
/// 200,000 values: beyond them, defaults are made again.
///
/// Thread safety: a lock guards the values. The defaults are made under no lock.
final class MadeDefaults: Sendable {
  struct Key: Hashable {
    let object: RowKey
    /// The stored name: the property may not have an id yet.
    let propertyName: String
  }

  private struct Entry {
    let value: Value
    /// The version in which the object was found without the default.
    let transaction: UInt64
    /// The first version in which no object lacks the default any more, once there is one.
    var settled: UInt64?

    /// Whether the value is that of the object in a version.
    func isValid(in transaction: UInt64) -> Bool { settled.map { transaction < $0 } ?? true }
  }

  /// Guards the values.
  private let entries = Lock<[Key: Entry]>([:])
  /// The number of values from which on settled ones are removed.
  private static let capacity = 100_000

  /// Returns the value made for a property of an object; nil if there is none.
  ///
  /// - Parameter transaction: The version that the caller reads.
  func made(_ object: RowKey, _ propertyName: String, in transaction: UInt64) -> Value? {
    entries.withLock { entries in
      let entry = entries[Key(object: object, propertyName: propertyName)]
      return entry.flatMap { $0.isValid(in: transaction) ? $0.value : nil }
    }
  }

  /// Returns the value made for a property of an object, made now if there is none.
  ///
  /// - Parameter transaction: The version that the caller reads.
  func value(
    _ object: RowKey, _ propertyName: String, in transaction: UInt64, _ make: () -> Value
  ) -> Value {
    if let made = made(object, propertyName, in: transaction) { return made }
    let new = Entry(value: make(), transaction: transaction)
    return entries.withLock { entries in
      let key = Key(object: object, propertyName: propertyName)
      if let entry = entries[key], entry.isValid(in: transaction) { return entry.value }
      if entries.count >= 2 * Self.capacity { entries.removeAll() }
      entries[key] = new
      return new.value
    }
  }

  /// Removes a value that could not be stored, so that another one is made.
  func remove(_ object: RowKey, _ propertyName: String) {
    entries.withLock { $0[Key(object: object, propertyName: propertyName)] = nil }
  }

  /// Notes that the values made in versions up to `transaction` are stored, or that their objects
  /// are deleted.
  ///
  /// - Parameter settled: The first version of which that is true.
  /// - Complexity: O(values).
  func settle(upTo transaction: UInt64, in settled: UInt64) {
    entries.withLock { entries in
      guard !entries.isEmpty else { return }
      if entries.count > Self.capacity { entries = entries.filter { $0.value.settled == nil } }
      for (key, entry) in entries where entry.settled == nil && entry.transaction <= transaction {
        entries[key]?.settled = settled
      }
    }
  }
}
