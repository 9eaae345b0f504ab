import Glibc
public import Synchronization

/// A lock for what takes a few instructions: the store that a configuration has opened, which many threads may want; the
/// values of an unmanaged object, which hardly ever two do.
///
/// Giving it up is one plain store, and nobody is woken: a thread that finds it held looks again, at first at once,
/// later now and then. That makes it half as dear as a `Mutex` where nobody waits. Where many wait, a `Mutex` hands itself
/// to a thread that has to be brought to a processor first, so that each use costs a switch between threads: ten threads
/// that opened views on two cores took twenty times as long.
///
/// Thread safety: any thread. Not recursive.
@usableFromInline
package struct BriefLock: ~Copyable, Sendable {
  @usableFromInline let isHeld = Atomic<Bool>(false)

  @inlinable
  package init() {}

  /// Runs a closure with the lock held.
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
