import Foundation
import VarveJSONLines

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
  /// - Parameters:
  ///   - isQuiet: Whether the line is written to a terminal only.
  ///   - json: Whether the line is a JSON object on the standard output.
  func finish(isQuiet: Bool, json: Bool) throws {
    clear()
    let duration = ContinuousClock.now - start
    guard !json else {
      let text = JSONWriter.object {
        $0.member("objects", done)
        $0.member("seconds", duration)
      }
      return try Terminal.standard.print(text)
    }
    if isQuiet, !terminal.isInteractive { return }
    try terminal.print(
      "  \(title): \(Quantity.count(done, "object")) in \(Quantity.duration(duration))")
  }
}
