import Synchronization

/// What is worked out once for all who ask for it.
///
/// Thread safety: any thread may ask. Who asks for what is being worked out waits for it; other things are worked out
/// meanwhile.
final class SharedWork<Key: Hashable & Sendable, Result: Sendable>: Sendable {
  private final class Entry: Sendable {
    /// Guards the result, while it is worked out too; nil before, and after a failure.
    let result = Mutex<Result?>(nil)
  }

  /// Guards which entries there are.
  private let entries = Mutex<[Key: Entry]>([:])

  init() {}

  /// The result for a key.
  ///
  /// - Parameters:
  ///   - key: what is asked for.
  ///   - work: works it out; it may ask for other results, but not in a circle.
  /// - Returns: the result.
  /// - Throws: what `work` throws; it is then tried again by who asks next.
  func result(
    for key: Key, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let entry = entries.withLock { entries in
      if let entry = entries[key] { return entry }
      let entry = Entry()
      entries[key] = entry
      return entry
    }
    return try entry.result.withLock { (known) throws(Failure) in
      if let known { return known }
      let result = try work()
      known = result
      return result
    }
  }
}
