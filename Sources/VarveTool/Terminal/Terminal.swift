import Foundation

/// Where the tool speaks to a person: a terminal, or a file or pipe that wants no control codes.
struct Terminal: Sendable {
  /// Where it is written.
  var descriptor = STDOUT_FILENO

  /// Whether a line may be written over.
  var isInteractive: Bool

  /// In characters.
  var width: Int

  /// The standard output.
  static var standard: Terminal { Terminal(of: STDOUT_FILENO) }

  /// The standard error, for what must not stand in the output.
  static var errors: Terminal { Terminal(of: STDERR_FILENO) }

  /// Writes what a command was asked for, with the end of a line. A reader who has gone wants no more of it.
  ///
  /// - Throws: ``ToolError`` when the system refuses to write, as to a full disk.
  func print(_ text: String) throws {
    do {
      try file.write(contentsOf: Data((text + "\n").utf8))
    } catch {
      if ToolError.isBrokenPipe(error) { return }
      throw ToolError("The output cannot be written", because: error)
    }
  }

  /// Writes text beside the output, as it is. What cannot be shown is left out.
  func show(_ text: String) { try? file.write(contentsOf: Data(text.utf8)) }

  private var file: FileHandle { FileHandle(fileDescriptor: descriptor, closeOnDealloc: false) }

  /// Cuts a line so that it takes one row of the screen.
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
