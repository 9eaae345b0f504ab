import Foundation
import Testing

/// The shell in a pseudo-terminal.
final class ShellTerminal {
  // TIOCSPTLCK and TIOCGPTN, which are not imported.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  private let process = Process()
  private let main: Int32
  /// What the shell has printed since the last call of ``read(until:)``.
  private var pending = Data()

  /// Starts the shell, which has the terminal as its controlling terminal.
  init(
    _ path: String, columns: UInt16 = 80, state: URL, type: String = "xterm"
  ) throws {
    main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (number, isLocked): (Int32, Int32) = (0, 0)
    try #require(
      main >= 0 && ioctl(main, Self.setLock, &isLocked) == 0
        && ioctl(main, Self.getNumber, &number) == 0)
    let name = "/dev/pts/\(number)"
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    // Without O_NOCTTY, the terminal could become that of the tests.
    let terminal = open(name, O_RDWR | O_NOCTTY)
    try #require(terminal >= 0)
    let handle = FileHandle(fileDescriptor: terminal, closeOnDealloc: true)
    try #require(ioctl(handle.fileDescriptor, UInt(TIOCSWINSZ), &size) == 0)
    process.executableURL = URL(filePath: "/usr/bin/setsid")
    process.arguments = ["--ctty", "--wait", try ToolProgram.url.path, "shell", path]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["XDG_STATE_HOME": state.path, "TERM": type]) { $1 }
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    close(main)
  }

  func send(_ keys: String) {
    let bytes = Array(keys.utf8)
    #expect(write(main, bytes, bytes.count) == bytes.count)
  }

  /// Reads the output up to a text, which is at its end then.
  ///
  /// - Returns: The output without what was read before; all output if the shell ends first.
  func read(until text: String) -> String {
    var block = [UInt8](repeating: 0, count: 4096)
    while true {
      if let range = pending.range(of: Data(text.utf8)) {
        defer { pending = Data(pending[range.upperBound...]) }
        return String(decoding: pending[..<range.upperBound], as: UTF8.self)
      }
      var state = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
      guard poll(&state, 1, 60_000) > 0 else { break }
      let count = Foundation.read(main, &block, block.count)
      guard count > 0 else { break }
      pending += block[..<count]
    }
    defer { pending = Data() }
    return String(decoding: pending, as: UTF8.self)
  }

  /// Ends the shell with Ctrl-D.
  func quit() {
    send("\u{4}")
    #expect(wait() == 0)
  }

  /// Waits for the end of the shell, and returns its exit code.
  func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}
