import Glibc

/// A value and the lock that guards it.
///
/// It is the C library's mutex: unlike `Synchronization.Mutex`, the thread sanitizer sees it on Linux, where
/// that one lets every guarded access look like a race. Uncontended it costs the same.
///
/// Thread safety: any thread. Not recursive.
package struct Lock<Value>: ~Copyable, @unchecked Sendable {
  // Safe because the value is accessed with the mutex held only.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private let value: UnsafeMutablePointer<Value>

  package init(_ initial: consuming Value) {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    value = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
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

  /// Runs `body` with the value, excluding all others.
  ///
  /// - Throws: What `body` throws.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value.pointee)
  }

  /// Waits until `body` gives something, looking again whenever `notify` is called.
  package func wait<Result>(until body: (inout Value) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value.pointee) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }

  /// Lets everybody who waits look again. To be called inside `withLock`, or after it.
  package func notify() {
    pthread_cond_broadcast(condition)
  }
}
