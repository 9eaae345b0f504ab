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
    let number: Int
    /// The first version in which no object lacks the default any more, once there is one.
    var settled: UInt64?

    /// Whether the value is that of the object in a version.
    func isValid(in transaction: UInt64) -> Bool { settled.map { transaction < $0 } ?? true }
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    /// Whether there are values that are not settled.
    var hasUnsettled = false
    /// The number of values made so far.
    var count = 0
    /// The number of commits that are storing values. None may be made meanwhile.
    var sealers = 0
    var isSealed: Bool { sealers > 0 }
    /// The number of commits that have stored values and are over.
    var sealCount = 0

    func made(_ key: Key, in transaction: UInt64) -> Value? {
      entries[key].flatMap { $0.isValid(in: transaction) ? $0.value : nil }
    }
  }

  /// Guards the values. Readers wait on it for a commit.
  private let state = Lock(State())
  /// The number of values from which on settled ones are removed.
  private static let capacity = 100_000

  /// Returns the value made for a property of an object; nil if there is none.
  ///
  /// - Parameter transaction: The version that the caller reads.
  func made(_ key: Key, in transaction: UInt64) -> Value? {
    state.withLock { $0.made(key, in: transaction) }
  }

  /// Returns the value made for a property of an object, made now if there is none.
  ///
  /// - Parameters:
  ///   - transaction: The version that the caller reads.
  ///   - sealCount: The number of commits that had stored values, and were over, when the caller found
  ///     no stored value; nil for a thread that writes.
  /// - Returns: Nil if a commit has stored values since, after a wait for its end: the value may be
  ///   one of them.
  func value(
    _ key: Key, in transaction: UInt64, after sealCount: Int?, _ make: () -> Value
  ) -> Value? {
    if let made = made(key, in: transaction) { return made }
    let new = make()
    let result = state.withLock { state -> Value? in
      if let made = state.made(key, in: transaction) { return made }
      if let sealCount, state.isSealed || state.sealCount != sealCount { return nil }
      if state.entries.count >= 2 * Self.capacity { state.entries.removeAll() }
      state.count += 1
      state.entries[key] = Entry(value: new, transaction: transaction, number: state.count)
      state.hasUnsettled = true
      return new
    }
    if result == nil { state.wait { $0.isSealed ? nil : () } }
    return result
  }

  /// Removes a value that could not be stored, so that another one is made.
  func remove(_ key: Key) { state.withLock { $0.entries[key] = nil } }

  // MARK: Storing values

  /// The number of values made so far.
  var count: Int { state.withLock { $0.count } }

  /// The number of commits that have stored values and are over.
  var sealCount: Int { state.withLock { $0.sealCount } }

  /// Lets no reader make further values until ``unseal()``: a commit is about to store those that it
  /// has made itself.
  ///
  /// - Parameter counts: The classes whose defaults the commit stores, and the number of values made
  ///   before it has made its own.
  /// - Returns: The values of these classes that readers have made since.
  func seal(_ counts: [UInt32: Int]) -> [(key: Key, value: Value)] {
    state.withLock { state in
      state.sealers += 1
      guard counts.values.contains(where: { $0 < state.count }) else { return [] }
      return state.entries.compactMap { key, entry in
        guard let count = counts[key.object.classID], entry.number > count else { return nil }
        return (key, entry.value)
      }
    }
  }

  func unseal() {
    state.withLock { state in
      state.sealers -= 1
      state.sealCount += 1
    }
    state.notify()
  }

  /// Notes that the values made in versions up to `transaction` are stored, or that their objects
  /// are deleted.
  ///
  /// - Parameters:
  ///   - settled: The first version of which that is true; nil for `transaction`.
  ///   - schema: The classes of that version. A property that they lack is not stored.
  ///   - isStored: Whether it is true of a property of an object.
  /// - Complexity: O(values); O(1) if all are settled.
  func settle(
    upTo transaction: UInt64, in settled: UInt64? = nil, _ schema: FileSchema,
    where isStored: (Key) -> Bool = { _ in true }
  ) {
    state.withLock { state in
      guard state.hasUnsettled else { return }
      if state.entries.count > Self.capacity {
        state.entries = state.entries.filter { $0.value.settled == nil }
      }
      state.hasUnsettled = false
      for (key, entry) in state.entries where entry.settled == nil {
        if entry.transaction <= transaction, isStored(key),
          schema.schema(ofClass: key.object.classID)?.property(named: key.propertyName) != nil
        {
          state.entries[key]?.settled = settled ?? transaction
        } else {
          state.hasUnsettled = true
        }
      }
    }
  }
}
