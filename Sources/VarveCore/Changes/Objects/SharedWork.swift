import VarveLocks

/// Computes each result once for all callers that request it.
///
/// Thread safety: any thread may request a result. Requests for a result that is being computed
/// block until it is available; other results are computed concurrently.
final class SharedWork<Key: Hashable & Sendable, Result: Sendable>: Sendable {
  private final class Entry: Sendable {
    /// Guards the result, also while it is computed. The result is nil before, and after a failure.
    let result = Lock<Result?>(nil)
  }

  /// Guards the set of entries.
  private let entries = Lock<[Key: Entry]>([:])

  init() {}

  /// Returns the result for a key, and computes it if needed.
  ///
  /// - Parameter work: Computes the result. It may request other results, but without a cycle.
  /// - Throws: The error of `work`. The next request then runs its `work` again.
  func result(
    for key: Key, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let entry = entries.withLock { entries in
      if let entry = entries[key] { return entry }
      let entry = Entry()
      entries[key] = entry
      return entry
    }
    return try entry.result.withLock { (cached) throws(Failure) in
      if let cached { return cached }
      let result = try work()
      cached = result
      return result
    }
  }
}
