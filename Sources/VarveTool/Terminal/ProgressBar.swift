/// Shows the progress of a long operation.
///
/// On a terminal it is one line that is overwritten; elsewhere nothing is written.
///
/// - Thread safety: a value; use one from one task at a time.
struct ProgressBar: Sendable {
  private let title: String
  private let total: Int
  private let terminal: Terminal
  private var shownStep = -1

  /// Creates a bar and shows it empty.
  ///
  /// - Parameters:
  ///   - title: The name of the operation.
  ///   - total: The number of units of work.
  init(_ title: String, total: Int, terminal: Terminal) {
    self.title = title
    self.total = total
    self.terminal = terminal
    update(to: 0)
  }

  /// Shows the number of completed units.
  ///
  /// - Complexity: O(1); writes only when the line changes.
  mutating func update(to done: Int) {
    let step = Self.step(done: done, total: total, of: 1000)
    guard terminal.isInteractive, step != shownStep else { return }
    shownStep = step
    let line = Self.line(title, done: done, total: total, width: terminal.width)
    terminal.show("\r\u{1B}[K\(line)")
  }

  /// Returns how many of `steps` equal parts are completed; 0 when there is no work.
  static func step(done: Int, total: Int, of steps: Int) -> Int {
    guard total > 0 else { return 0 }
    let share = Double(min(max(done, 0), total)) / Double(total)
    return Int((share * Double(steps)).rounded(.down))
  }

  /// Returns the line: ` Packages ━━━━━━━━────────── 45 % 28,548 of 63,440`.
  ///
  /// The line is shorter than `width` characters; if space is short, the bar is shortened first.
  static func line(_ title: String, done: Int, total: Int, width: Int) -> String {
    let percent = String(step(done: done, total: total, of: 100))
    let padding = String(repeating: " ", count: max(0, 3 - percent.count))
    let counts = "\(padding)\(percent) %  \(Quantity.count(done)) of \(Quantity.count(total))"
    let room = min(40, width - title.count - counts.count - 5)
    guard room >= 4 else { return String("  \(title) \(counts)".prefix(max(0, width - 1))) }
    let full = step(done: done, total: total, of: room)
    let bar =
      String(repeating: "━", count: full) + String(repeating: "─", count: room - full)
    return "  \(title) \(bar) \(counts)"
  }
}
