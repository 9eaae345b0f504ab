import VarveEncoding
import VarveLocks

/// The defaults that this process has made for objects that lack them.
///
/// Every read of one property of one object returns the same value, and that value is stored. Then
/// it is *settled*: readers of versions from before it was stored still get it; in a later version,
/// an object that lacks the default is another one with the same key. From 100,000 values on, the
/// settled ones are removed; from 200,000 on, all of them, and defaults are made again.
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

  private struct State {
    var entries: [Key: Entry] = [:]
    /// Whether there are values that are not settled.
    var hasUnsettled = false
  }

  /// Guards the values.
  private let state = Lock(State())
  /// The number of values from which on settled ones are removed.
  private static let capacity = 100_000

  /// Returns the value made for a property of an object; nil if there is none.
  ///
  /// - Parameter transaction: The version that the caller reads.
  func made(_ object: RowKey, _ propertyName: String, in transaction: UInt64) -> Value? {
    state.withLock { state in
      let entry = state.entries[Key(object: object, propertyName: propertyName)]
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
    return state.withLock { state in
      let key = Key(object: object, propertyName: propertyName)
      if let entry = state.entries[key], entry.isValid(in: transaction) { return entry.value }
      if state.entries.count >= 2 * Self.capacity { state.entries.removeAll() }
      state.entries[key] = new
      state.hasUnsettled = true
      return new.value
    }
  }

  /// Removes a value that could not be stored, so that another one is made.
  func remove(_ object: RowKey, _ propertyName: String) {
    state.withLock { $0.entries[Key(object: object, propertyName: propertyName)] = nil }
  }

  /// Notes that the values made in versions up to `transaction` are stored, or that their objects
  /// are deleted.
  ///
  /// - Parameters:
  ///   - settled: The first version of which that is true; nil for `transaction`.
  ///   - schema: The classes of that version. A property that they lack is not stored.
  ///   - classes: The ids of the classes of the objects; nil for all.
  /// - Complexity: O(values); O(1) if all are settled.
  func settle(
    upTo transaction: UInt64, in settled: UInt64? = nil, _ schema: FileSchema,
    of classes: Set<UInt32>? = nil
  ) {
    func isStored(_ key: Key) -> Bool {
      let classID = key.object.classID
      return classes?.contains(classID) ?? true
        && schema.schema(ofClass: classID)?.property(named: key.propertyName) != nil
    }
    state.withLock { state in
      guard state.hasUnsettled else { return }
      if state.entries.count > Self.capacity {
        state.entries = state.entries.filter { $0.value.settled == nil }
      }
      state.hasUnsettled = false
      for (key, entry) in state.entries where entry.settled == nil {
        if entry.transaction <= transaction, isStored(key) {
          state.entries[key]?.settled = settled ?? transaction
        } else {
          state.hasUnsettled = true
        }
      }
    }
  }
}
