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
    _ = try write(Array((text + "\n").utf8))
  }

  /// Writes auxiliary text unchanged. Errors are ignored.
  func show(_ text: String) { _ = try? write(Array(text.utf8)) }

  /// Writes bytes, and waits for a reader of a pipe that does not block.
  ///
  /// - Returns: Whether the output is still open: false for a closed pipe.
  /// - Throws: ``ToolError`` when a write fails, for example on a full disk.
  func write(_ bytes: [UInt8]) throws(ToolError) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest.removeFirst(count)
      } else if errno == EAGAIN {
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&polled, 1, -1)
      } else if errno == EPIPE {
        return false
      } else if errno != EINTR {
        throw ToolError("The output cannot be written: \(String(cString: strerror(errno)))")
      }
    }
    return true
  }

  /// Returns a text in bold on a terminal, unless the variable NO_COLOR is set or TERM is
  /// “dumb”.
  func bold(_ text: String) -> String {
    let environment = ProcessInfo.processInfo.environment
    let isPlain =
      !isInteractive || environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
    return isPlain ? text : "\u{1B}[1m\(text)\u{1B}[0m"
  }

  /// The width now, which differs from ``width`` when the window has changed since.
  var currentWidth: Int { Terminal(of: descriptor).width }

  /// Truncates a line to one row of the screen.
  func fit(_ line: String) -> String {
    isInteractive && line.width > width ? line.prefix(ofWidth: max(0, width - 1)) + "…" : line
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
