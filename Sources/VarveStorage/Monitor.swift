import Synchronization

/// A value guarded by a mutex, with threads that wait for a change of it.
///
/// Thread safety: any thread. Not recursive.
package struct Monitor<Value>: ~Copyable, @unchecked Sendable {
  // Safe because only the holder of the mutex accesses the value, and the word is an event count.
  private let mutex = Mutex<Void>(())
  private let value: UnsafeMutablePointer<Value>
  private let word: UnsafeMutablePointer<UInt32>

  package init(_ initial: consuming Value) {
    value = .allocate(capacity: 1)
    value.initialize(to: initial)
    word = .allocate(capacity: 1)
    word.initialize(to: 0)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    word.deallocate()
  }

  private struct Returned<Result>: @unchecked Sendable {
    // Safe because `withLock` passes it to its caller on the same thread.
    let value: Result
  }

  /// Runs `body` with exclusive access to the value.
  ///
  /// - Throws: Any error thrown by `body`.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try mutex.withLock { (_) throws(Failure) in Returned(value: try body(&value.pointee)) }.value
  }

  /// Waits until `body` returns a value. `body` is called again after each call of `notify`.
  ///
  /// - Parameter timeout: The longest wait; nil for no limit.
  /// - Returns: The value; nil after the timeout.
  package func wait<Result>(
    for timeout: Duration, until body: (inout Value) -> Result?
  ) -> Result? {
    let deadline = ContinuousClock.now + timeout
    while true {
      let count = changes.count
      if let result = withLock(body) { return result }
      let rest = deadline - .now
      guard rest > .zero else { return nil }
      changes.sleep(while: count, for: rest)
    }
  }

  /// Waits until `body` returns a value. `body` is called again after each call of `notify`.
  package func wait<Result>(until body: (inout Value) -> Result?) -> Result {
    while true {
      let count = changes.count
      if let result = withLock(body) { return result }
      changes.sleep(while: count)
    }
  }

  /// Wakes all waiting threads to check again. Call it inside `withLock`, or after it.
  package func notify() { changes.advance() }

  private var changes: EventCount { EventCount(word: word, isShared: false) }
}
