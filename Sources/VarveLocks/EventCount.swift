import CVarve

/// A count of events that threads can wait on: a futex.
///
/// A waiting thread reads the count, then checks what it waits for, then waits until the count
/// differs. An event in between therefore ends the wait. A process that is killed between counting
/// an event and waking the threads leaves them asleep until their timeout.
///
/// Thread safety: any thread. Processes: all that map the word, if it is shared.
package struct EventCount: @unchecked Sendable {
  // Safe because the word is accessed atomically only. Its owner keeps it alive.
  /// The count in bits 1 to 31. Bit 0 indicates a sleeping thread.
  package let word: UnsafeMutableRawPointer
  /// Whether the word is shared between processes.
  private let isShared: Bool

  package init(word: UnsafeMutableRawPointer, isShared: Bool) {
    self.word = word
    self.isShared = isShared
  }

  /// The number of events, modulo 2³¹.
  package var count: UInt32 { varve_load32(word) >> 1 }

  /// Sleeps until the count differs from `known`, or the timeout. It may return earlier.
  ///
  /// - Parameter timeout: The longest sleep; nil for no limit.
  package func sleep(while known: UInt32, for timeout: Duration? = nil) {
    let value = varve_load32(word)
    guard value >> 1 == known else { return }
    if value & 1 == 0, varve_exchange32(word, value, value | 1) == 0 { return }
    _ = varve_futex_wait(word, value | 1, timeout.map { max($0.nanoseconds, 0) } ?? -1, flag)
  }

  /// Counts an event, and wakes all sleeping threads.
  package func advance() {
    while true {
      let value = varve_load32(word)
      let next = ((value >> 1) &+ 1) << 1
      guard varve_exchange32(word, value, next) == 1 else { continue }
      if value & 1 == 1 { _ = varve_futex_wake(word, Int32.max, flag) }
      return
    }
  }

  private var flag: Int32 { isShared ? 1 : 0 }
}

extension Duration {
  /// The duration in nanoseconds, clamped to 64 bits.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? (seconds < 0 ? .min : .max) : product &+ attoseconds / 1_000_000_000
  }
}
