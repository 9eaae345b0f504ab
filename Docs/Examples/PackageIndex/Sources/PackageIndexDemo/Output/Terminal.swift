import Foundation

/// The standard output: a terminal, or a file or pipe, which receives no control codes.
struct Terminal: Sendable {
  /// Whether lines can be overwritten.
  let isInteractive = isatty(STDOUT_FILENO) == 1

  /// The width in characters.
  let width: Int

  init() {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    width = isKnown ? Int(size.ws_col) : 80
  }

  /// Writes text without buffering: the second process writes to the same output.
  func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

  /// Writes a line.
  func print(_ line: String) { write(line + "\n") }

  /// Truncates a line to one row of the screen.
  func fit(_ line: String) -> String {
    isInteractive && line.count > width ? line.prefix(max(0, width - 1)) + "…" : line
  }
}
