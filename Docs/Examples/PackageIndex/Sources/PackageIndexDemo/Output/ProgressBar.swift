/// Shows the progress of a long operation.
///
/// On a terminal the bar overwrites one line. Other outputs receive only the result.
struct ProgressBar {
  private static let width = 40

  private let title: String
  private let total: Int
  private let terminal: Terminal

  /// Creates a bar and shows it empty.
  init(_ title: String, total: Int, terminal: Terminal) {
    self.title = title
    self.total = total
    self.terminal = terminal
    update(to: 0)
  }

  /// Shows the number of finished steps.
  func update(to done: Int) {
    guard terminal.isInteractive else { return }
    terminal.write("\r\u{1B}[K" + Self.line(title, done, of: total).prefix(terminal.width - 1))
  }

  /// Removes the bar and prints a line with the result.
  func finish(_ result: String) {
    if terminal.isInteractive { terminal.write("\r\u{1B}[K") }
    terminal.print("  \(title): \(result)")
  }

  /// The text of the bar: `  Packages ━━━━━━━━────────── 45 %  28,548 of 63,440`.
  static func line(_ title: String, _ done: Int, of total: Int) -> String {
    let share = total > 0 ? min(1, Double(done) / Double(total)) : 0
    let full = Int(share * Double(width))
    let bar = String(repeating: "━", count: full) + String(repeating: "─", count: width - full)
    let percent = Int(share * 100)
    return "  \(title) \(bar) \(percent) %  \(Quantity.count(done)) of \(Quantity.count(total))"
  }
}
