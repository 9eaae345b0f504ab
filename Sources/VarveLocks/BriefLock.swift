import Glibc
public import Synchronization

/// A spin lock for critical sections of a few instructions: the store that a configuration has
/// opened, which many threads may read; the values of an unmanaged object, which two threads hardly
/// ever access at once.
///
/// Unlocking is one plain store and wakes no thread. A thread that finds the lock taken checks
/// again, first immediately, later at intervals. Uncontended, it costs half as much as a ``Lock``.
///
/// Thread safety: any thread. Not recursive.
@usableFromInline
package struct BriefLock: ~Copyable, Sendable {
  @usableFromInline let isHeld = Atomic<Bool>(false)

  @inlinable
  package init() {}

  /// Runs a closure while holding the lock.
  @inlinable
  @inline(__always)
  package borrowing func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if !tryLock() { wait() }
    defer { isHeld.store(false, ordering: .releasing) }
    return try body()
  }

  @inlinable
  @inline(__always)
  borrowing func tryLock() -> Bool {
    isHeld.compareExchange(
      expected: false, desired: true, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
  }

  @usableFromInline
  @inline(never)
  borrowing func wait() {
    var attempts = 0
    repeat {
      while isHeld.load(ordering: .relaxed) {
        attempts += 1
        if attempts > 200 { usleep(50) } else if attempts > 100 { sched_yield() }
      }
    } while !tryLock()
  }
}
