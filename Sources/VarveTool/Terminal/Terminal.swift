import Foundation

/// The output for a person: a terminal, or a file or pipe without control codes.
struct Terminal: Sendable {
  /// The file descriptor.
  var descriptor = STDOUT_FILENO

  /// Whether a line may be overwritten.
  var isInteractive: Bool

  /// The width in characters.
  var width: Int

  /// The standard output.
  static var standard: Terminal { Terminal(of: STDOUT_FILENO) }

  /// The standard error, for text that must not be in the output.
  static var errors: Terminal { Terminal(of: STDERR_FILENO) }

  /// Writes a line of output. A closed pipe is not an error.
  ///
  /// - Throws: ``ToolError`` when a write fails, for example on a full disk.
  func print(_ text: String) throws {
    do {
      try file.write(contentsOf: Data((text + "\n").utf8))
    } catch {
      if ToolError.isBrokenPipe(error) { return }
      throw ToolError("The output cannot be written", because: error)
    }
  }

  /// Writes auxiliary text unchanged. Errors are ignored.
  func show(_ text: String) { try? file.write(contentsOf: Data(text.utf8)) }

  private var file: FileHandle { FileHandle(fileDescriptor: descriptor, closeOnDealloc: false) }

  /// Returns a text in bold on a terminal, unless the variable NO_COLOR is set.
  func bold(_ text: String) -> String {
    let isPlain =
      !isInteractive || ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty == false
    return isPlain ? text : "\u{1B}[1m\(text)\u{1B}[0m"
  }

  /// Truncates a line to one row of the screen.
  func fit(_ line: String) -> String {
    isInteractive && line.count > width ? String(line.prefix(max(0, width - 1))) + "…" : line
  }
}

extension Terminal {
  private init(of descriptor: Int32) {
    var size = winsize()
    let isInteractive = isatty(descriptor) == 1
    let isKnown =
      isInteractive && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    self.init(
      descriptor: descriptor, isInteractive: isInteractive,
      width: isKnown ? Int(size.ws_col) : 80)
  }
}
