import Foundation
import Testing

/// The running program `varve`, with its output line by line.
final class RunningTool {
  private let process = Process()
  private let output = Pipe()
  private let errorFile = ToolProgram.temporaryURL("varve-errors-")
  private var pending = Data()

  /// Starts the program. Its output is not a terminal.
  init(_ arguments: [String]) throws {
    process.executableURL = try ToolProgram.url
    process.arguments = arguments
    #expect(FileManager.default.createFile(atPath: errorFile.path, contents: nil))
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    try? FileManager.default.removeItem(at: errorFile)
  }

  var processID: Int32 { process.processIdentifier }

  /// The next line; nil at the end of the output.
  func line() -> String? {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        defer { pending = Data(pending[(end + 1)...]) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      pending += more
    }
  }

  /// The next lines.
  func lines(_ count: Int) -> [String] { (0..<count).compactMap { _ in line() } }

  /// Closes the reading end of the output.
  func closeOutput() throws { try output.fileHandleForReading.close() }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for the end of the program.
  ///
  /// - Returns: The exit status, or 1000 plus the signal that killed the program, and the standard
  ///   error output.
  func wait() throws -> (status: Int32, errors: String) {
    process.waitUntilExit()
    let isKilled = process.terminationReason == .uncaughtSignal
    return (
      process.terminationStatus + (isKilled ? 1000 : 0),
      try String(contentsOf: errorFile, encoding: .utf8)
    )
  }

  /// Sends a signal that requests the end, and expects the program to end without an error message.
  func stop(_ signal: Int32 = SIGINT) throws {
    send(signal)
    let end = try wait()
    #expect(end.status == 0)
    #expect(end.errors == "")
  }
}
