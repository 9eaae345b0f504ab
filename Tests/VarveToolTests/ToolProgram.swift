import Foundation
import Testing

/// The program `varve`, run from a command line.
enum ToolProgram {
  struct Output {
    var status: Int32

    /// The standard output. `errors` is the standard error output.
    var text: String
    var errors: String
  }

  /// Runs the program and waits for its end. Its output is not a terminal.
  ///
  /// - Parameters:
  ///   - file: The file that receives the standard output; nil for the result.
  ///   - input: The file that the standard input is read from; nil for that of the tests.
  ///   - fileSizeLimit: The maximum number of bytes of a file that the program writes, a multiple of
  ///     512.
  static func run(
    _ arguments: [String], writingTo file: String? = nil, readingFrom input: String? = nil,
    fileSizeLimit: Int? = nil
  ) throws -> Output {
    let process = Process()
    process.executableURL = try url
    process.arguments = arguments
    if let fileSizeLimit {
      process.executableURL = URL(filePath: "/bin/sh")
      let script = "ulimit -f \(fileSizeLimit / 512); exec \"$0\" \"$@\""
      process.arguments = ["-c", script, try url.path] + arguments
    }
    let errorFile = temporaryURL("varve-errors-")
    #expect(FileManager.default.createFile(atPath: errorFile.path, contents: nil))
    defer { try? FileManager.default.removeItem(at: errorFile) }
    let output = Pipe()
    process.standardOutput =
      try file.map { try #require(FileHandle(forWritingAtPath: $0)) } ?? output
    process.standardError = try FileHandle(forWritingTo: errorFile)
    if let input { process.standardInput = try #require(FileHandle(forReadingAtPath: input)) }
    try process.run()
    let text = file == nil ? try output.fileHandleForReading.readToEnd() ?? Data() : Data()
    process.waitUntilExit()
    return Output(
      status: process.terminationStatus, text: String(decoding: text, as: UTF8.self),
      errors: try String(contentsOf: errorFile, encoding: .utf8))
  }

  /// A unique temporary location.
  static func temporaryURL(_ prefix: String) -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent(prefix + UUID().uuidString)
  }

  /// The executable is next to the bundle of the tests.
  static var url: URL {
    get throws {
      let runner = try #require(Bundle.main.executableURL)
      let candidates = [runner, Bundle(for: Anchor.self).bundleURL].map {
        $0.deletingLastPathComponent().appendingPathComponent("varve")
      }
      return try #require(
        candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) })
    }
  }

  private final class Anchor {}
}
