import CVarve
public import Synchronization

/// A value and the lock that guards it. Threads can wait for a change of the value.
///
/// The lock is a futex of three states, as in Ulrich Drepper's “Futexes Are Tricky”: it is acquired
/// and released without a system call unless threads wait for it, and a released lock goes to the
/// thread that comes first, not to a sleeping one. `Synchronization.Mutex` hands itself over on
/// Linux, stores the thread's number, which is wrong in a forked child, and is unknown to the thread
/// sanitizer (Docs/Decisions/0003-locks.md).
///
/// Thread safety: any thread. Not recursive.
@usableFromInline
package struct Lock<Value>: ~Copyable, @unchecked Sendable {
  // Safe because the value is accessed only by the holder of the lock.
  /// 0: free, 1: held, 2: held, and threads may wait for it.
  @usableFromInline let word = Atomic<UInt32>(0)
  /// Counts the calls of ``notify()``.
  private let changes = Atomic<UInt32>(0)
  @usableFromInline let cell: _Cell<Value>

  @inlinable
  package init(_ initial: consuming Value) { cell = _Cell(initial) }

  /// Runs `body` with exclusive access to the value.
  ///
  /// - Throws: Any error thrown by `body`.
  @inlinable
  package borrowing func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if !acquireIfFree() { acquire() }
    defer { release() }
    let value = cell._address
    return try body(&value.pointee)
  }

  /// Runs `body` with the value if the lock is free.
  ///
  /// - Returns: The result of `body`; nil when the lock is held.
  /// - Throws: Any error thrown by `body`.
  @inlinable
  package borrowing func withLockIfAvailable<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard acquireIfFree() else { return nil }
    defer { release() }
    let value = cell._address
    return try body(&value.pointee)
  }

  @inlinable
  @inline(__always)
  borrowing func acquireIfFree() -> Bool {
    word.compareExchange(
      expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
  }

  @inlinable
  @inline(__always)
  borrowing func release() {
    if word.exchange(0, ordering: .releasing) == 2 { wakeOne() }
  }

  /// The number of attempts before a thread sleeps: most sections are shorter than a system call.
  private static var spinLimit: Int { 100 }

  @usableFromInline
  @inline(never)
  borrowing func acquire() {
    for _ in 0..<Self.spinLimit {
      if word.load(ordering: .relaxed) == 0, acquireIfFree() { return }
    }
    while word.exchange(2, ordering: .acquiring) != 0 {
      _ = varve_futex_wait(Self.address(of: word), 2, -1, 0)
    }
  }

  @usableFromInline
  @inline(never)
  borrowing func wakeOne() { _ = varve_futex_wake(Self.address(of: word), 1, 0) }

  /// The address of an atomic, which is the same as long as the lock lives: an atomic is never
  /// moved or copied while it is borrowed, and a lock is a property of a class or a global.
  private static func address(of word: borrowing Atomic<UInt32>) -> UnsafeMutableRawPointer {
    withUnsafePointer(to: word) { UnsafeMutableRawPointer(mutating: $0) }
  }
}

/// Waiting for a change of the value.
extension Lock {
  /// Waits until `body` returns a value, or until the timeout. `body` is called again after each
  /// call of `notify`.
  ///
  /// - Returns: The value; nil after the timeout.
  package borrowing func wait<Result>(
    for timeout: Duration, until body: (inout Value) -> Result?
  ) -> Result? {
    let deadline = ContinuousClock.now + timeout
    while true {
      let count = events.count
      if let result = withLock(body) { return result }
      let remaining = deadline - .now
      guard remaining > .zero else { return nil }
      events.sleep(while: count, for: remaining)
    }
  }

  /// Waits until `body` returns a value. `body` is called again after each call of `notify`.
  package borrowing func wait<Result>(until body: (inout Value) -> Result?) -> Result {
    while true {
      let count = events.count
      if let result = withLock(body) { return result }
      events.sleep(while: count)
    }
  }

  /// Wakes all waiting threads to check again. Call it inside `withLock`, or after it.
  package borrowing func notify() { events.advance() }

  private var events: EventCount { EventCount(word: Self.address(of: changes), isShared: false) }
}
