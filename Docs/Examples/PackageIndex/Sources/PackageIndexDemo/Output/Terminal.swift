import Foundation

/// The standard output: a terminal, or a file or pipe that wants no control codes.
struct Terminal: Sendable {
  /// Whether a line may be written over.
  let isInteractive = isatty(STDOUT_FILENO) == 1

  /// In characters.
  let width: Int

  init() {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    width = isKnown ? Int(size.ws_col) : 80
  }

  /// Writes text as it is, at once: the second process writes to the same place.
  func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

  /// Writes a line.
  func print(_ line: String) { write(line + "\n") }

  /// Cuts a line so that it takes one row of the screen.
  func fit(_ line: String) -> String {
    isInteractive && line.count > width ? line.prefix(max(0, width - 1)) + "…" : line
  }
}
