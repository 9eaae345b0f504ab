import Foundation

/// Shows the progress of an export or an import.
struct TransferProgress {
  private let title: String
  private let terminal: Terminal
  private let start = ContinuousClock.now
  private var bar: ProgressBar?
  private var done = 0

  init(_ title: String, terminal: Terminal) {
    self.title = title
    self.terminal = terminal
  }

  mutating func update(_ done: Int, _ total: Int?) {
    self.done = done
    guard let total else { return }
    if bar == nil { bar = ProgressBar(title, total: total, terminal: terminal) }
    bar?.update(to: done)
  }

  /// Erases the bar.
  func clear() { if terminal.isInteractive { terminal.show("\r\u{1B}[K") } }

  /// Erases the bar, and writes a line with the result.
  ///
  /// - Parameter isQuiet: Whether the line is written to a terminal only.
  func finish(isQuiet: Bool) {
    clear()
    if isQuiet, !terminal.isInteractive { return }
    let elapsed = Quantity.duration(ContinuousClock.now - start)
    terminal.show("  \(title): \(Quantity.count(done, "object")) in \(elapsed)\n")
  }
}
