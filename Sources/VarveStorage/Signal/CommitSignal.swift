import VarveLocks

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

  /// The word of the signal page, or a word of this process if there is no page.
  private let events: EventCount
  /// Retains the mapped page; nil if there is none.
  private let page: SignalPage?
  /// A mapping of the two meta pages.
  let meta: ReadMapping
  private let pageSize: Int

  init(page: SignalPage?, meta: ReadMapping, pageSize: Int) {
    self.page = page
    self.meta = meta
    self.pageSize = pageSize
    if let page {
      events = EventCount(word: page.base + SignalPage.Offset.word, isShared: true)
    } else {
      let word = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
      word.initialize(to: 0)
      events = EventCount(word: word, isShared: false)
    }
  }

  deinit { if page == nil { events.word.deallocate() } }

  /// The sequence, which changes with each commit.
  package var sequence: UInt64 { sequence(at: events.count) }

  private func sequence(at count: UInt32) -> UInt64 {
    if page != nil { return UInt64(count) }
    return MetaPage.newestTransactionID(base: meta.base, pageSize: pageSize)
      &+ UInt64(count) << 40
  }

  /// Waits until the sequence differs from `lastSeen`.
  ///
  /// - Returns: The current sequence; `lastSeen` after a timeout.
  package func wait(after lastSeen: UInt64, timeout: Duration) -> UInt64 {
    let deadline = ContinuousClock.now + timeout
    while true {
      let count = events.count
      let now = sequence(at: count)
      if now != lastSeen { return now }
      let remaining = deadline - ContinuousClock.now
      if remaining <= .zero { return now }
      events.sleep(while: count, for: page == nil ? min(remaining, Self.pollInterval) : remaining)
    }
  }

  /// Advances the sequence and wakes all waiting threads, at least those of this process.
  package func wake() { events.advance() }
}
