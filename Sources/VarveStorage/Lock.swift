import Glibc

/// A value and the lock that guards it.
///
/// The lock is the C library's mutex: unlike `Synchronization.Mutex`, the thread sanitizer
/// recognizes it on Linux; with the other mutex every guarded access is reported as a race.
/// Uncontended, both cost the same.
///
/// Thread safety: any thread. Not recursive.
package struct Lock<Value>: ~Copyable, @unchecked Sendable {
  // Safe because the value is accessed only with the mutex held.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private let value: UnsafeMutablePointer<Value>

  package init(_ initial: consuming Value) {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    value = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    // Timed waits use the monotonic clock, so that a change of the wall clock does not extend them.
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
    value.initialize(to: initial)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    pthread_cond_destroy(condition)
    condition.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with exclusive access to the value.
  ///
  /// - Throws: Any error thrown by `body`.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value.pointee)
  }

  /// Runs `body` with the value if the lock is free.
  ///
  /// - Returns: The result of `body`; nil when the lock is taken.
  /// - Throws: Any error thrown by `body`.
  package func withLockIfFree<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value.pointee)
  }

  /// Waits until `body` returns a value. `body` is called again after each call of `notify`.
  package func wait<Result>(until body: (inout Value) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value.pointee) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }

  /// Waits until `body` returns a value, or until the timeout.
  ///
  /// - Returns: The value; nil after the timeout.
  package func wait<Result>(
    for timeout: Duration, until body: (inout Value) -> Result?
  ) -> Result? {
    var deadline = timespec()
    clock_gettime(CLOCK_MONOTONIC, &deadline)
    // Capped at a year, so that the sum does not overflow.
    let rest = min(max(timeout, .zero), .seconds(31_536_000)).nanoseconds
    let nanoseconds = Int64(deadline.tv_nsec) + rest
    deadline.tv_sec += Int(nanoseconds / 1_000_000_000)
    deadline.tv_nsec = Int(nanoseconds % 1_000_000_000)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value.pointee) { return result }
      if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT {
        return body(&value.pointee)
      }
    }
  }

  /// Wakes all waiting threads to check again. Call it inside `withLock`, or after it.
  package func notify() {
    pthread_cond_broadcast(condition)
  }
}
