import CVarve
import Glibc

/// Signals that some process has committed.
///
/// The sequence is a hint: it may change without a commit, and a process killed between its commit
/// and its signal does not change it. The transaction id is authoritative; check it after each
/// wake-up, and after a timeout too.
///
/// Thread safety: any number of threads may wait. Processes: a futex in the signal page wakes all
/// of them. Without a writable page, the transaction id of the file is polled.
package final class CommitSignal: Sendable {
  /// The polling interval if there is no page.
  private static let pollInterval = Duration.milliseconds(50)

  private let page: SignalPage?
  private let meta: ReadMapping
  private let pageSize: Int
  // Safe because the word is only accessed atomically, and freed in deinit.
  nonisolated(unsafe) private let wakeUps: UnsafeMutablePointer<UInt32>

  init(page: SignalPage?, meta: ReadMapping, pageSize: Int) {
    self.page = page
    self.meta = meta
    self.pageSize = pageSize
    wakeUps = .allocate(capacity: 1)
    wakeUps.initialize(to: 0)
  }

  deinit { wakeUps.deallocate() }

  /// The sequence, which changes with each commit.
  package var sequence: UInt64 {
    if let page { return UInt64(varve_load32(page.base + SignalPage.Offset.word) >> 1) }
    return MetaPage.newestTransactionID(base: meta.base, pageSize: pageSize)
      &+ UInt64(varve_load32(wakeUps)) << 40
  }

  /// Waits until the sequence differs from `known`.
  ///
  /// - Returns: The current sequence; `known` after a timeout.
  package func wait(for known: UInt64, timeout: Duration) -> UInt64 {
    let deadline = ContinuousClock.now + timeout
    while true {
      let now = sequence
      if now != known { return now }
      let rest = deadline - ContinuousClock.now
      if rest <= .zero { return now }
      if let page {
        sleep(on: page.base + SignalPage.Offset.word, rest: rest, known: known)
      } else {
        _ = varve_futex_wait(
          wakeUps, varve_load32(wakeUps), min(rest, Self.pollInterval).nanoseconds, 0)
      }
    }
  }

  /// Sleeps once. Bit 0 of the word indicates a sleeping thread; the committer clears it and wakes
  /// all.
  private func sleep(on word: UnsafeMutableRawPointer, rest: Duration, known: UInt64) {
    let value = varve_load32(word)
    guard UInt64(value >> 1) == known else { return }
    if value & 1 == 0, varve_exchange32(word, value, value | 1) == 0 { return }
    _ = varve_futex_wait(word, value | 1, rest.nanoseconds, 1)
  }

  /// Advances the sequence and wakes all waiting threads, at least those of this process.
  package func wake() {
    guard let page else {
      while true {
        let value = varve_load32(wakeUps)
        if varve_exchange32(wakeUps, value, value &+ 1) == 1 { break }
      }
      _ = varve_futex_wake(wakeUps, Int32.max, 0)
      return
    }
    let word = page.base + SignalPage.Offset.word
    while true {
      let value = varve_load32(word)
      let next = ((value >> 1) &+ 1) << 1
      guard varve_exchange32(word, value, next) == 1 else { continue }
      if value & 1 == 1 { _ = varve_futex_wake(word, Int32.max, 1) }
      return
    }
  }
}
