#if VARVE_THREAD_SANITIZER
  import Glibc

  /// Replaces `Synchronization.Mutex` in builds for the thread sanitizer, which does not recognize
  /// that mutex on Linux and reports accesses under it as races (Docs/Decisions/0003-locks.md).
  ///
  /// Thread safety: any thread. Not recursive.
  package struct SanitizedMutex<Value>: ~Copyable, @unchecked Sendable {
    // Safe because the value is accessed only with the C library's mutex locked.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ initial: consuming Value) {
      mutex = .allocate(capacity: 1)
      value = .allocate(capacity: 1)
      pthread_mutex_init(mutex, nil)
      value.initialize(to: initial)
    }

    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    package borrowing func withLock<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }

    package borrowing func withLockIfAvailable<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
      guard pthread_mutex_trylock(mutex) == 0 else { return nil }
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }

  /// The mutex of this module.
  typealias Mutex<Value> = SanitizedMutex<Value>
#endif
