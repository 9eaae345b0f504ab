import Foundation

/// This program, run in processes of its own.
enum OwnProgram {
  /// The path of this program.
  static var path: String {
    get throws { try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") }
  }

  /// Runs this program, which must succeed.
  ///
  /// - Returns: Its output.
  @discardableResult
  static func run(_ arguments: [String]) throws -> String {
    let (status, text) = try runCommand([path] + arguments)
    guard status == 0 else {
      throw MeasurementFailure("\(arguments.joined(separator: " ")) failed:\n\(text)")
    }
    return text
  }

  /// Runs a command of the system and returns its output.
  static func runCommand(
    _ command: [String], _ environment: [String: String] = [:]
  ) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    process.standardError = output
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }

  /// Returns the number after a word at the start of a line of the output.
  static func number(after word: String, in text: String) -> Int? {
    text.split(separator: "\n").last { $0.hasPrefix(word) }
      .flatMap { Int($0.dropFirst(word.count)) }
  }
}
