import Foundation

/// Shows how far an export or an import has come.
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

  /// Takes the bar away.
  func clear() { if terminal.isInteractive { terminal.show("\r\u{1B}[K") } }

  /// Takes the bar away, and leaves a line with the result.
  ///
  /// - Parameter isQuiet: Whether only a terminal gets the line.
  func finish(isQuiet: Bool) {
    clear()
    if isQuiet, !terminal.isInteractive { return }
    let elapsed = Quantity.duration(ContinuousClock.now - start)
    terminal.show("  \(title): \(Quantity.count(done, "object")) in \(elapsed)\n")
  }
}
