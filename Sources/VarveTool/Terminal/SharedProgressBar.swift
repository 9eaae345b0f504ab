import VarveLocks

/// A ``ProgressBar`` on the standard error that the closure of an operation updates.
///
/// Thread safety: any thread.
final class SharedProgressBar: Sendable {
  private let title: String
  private let isShown: Bool
  private let terminal = Terminal.errors
  /// Guards the bar.
  private let bar = Lock<ProgressBar?>(nil)

  init(_ title: String, isShown: Bool) {
    self.title = title
    self.isShown = isShown
  }

  func update(_ done: Int, _ total: Int) {
    guard isShown else { return }
    bar.withLock { bar in
      if bar == nil { bar = ProgressBar(title, total: total, terminal: terminal) }
      bar?.update(to: done)
    }
  }

  /// Erases the bar.
  func clear() {
    if isShown, terminal.isInteractive { terminal.show("\r\u{1B}[K") }
  }
}
