import Foundation
import Testing

/// The program `package-index`, run from a command line.
enum DemoProgram {
  struct Output {
    var status: Int32

    /// The standard output. `errors` is the standard error output.
    var text: String
    var errors: String
  }

  /// Runs the program and waits for its end. Its output is not a terminal.
  static func run(_ arguments: [String]) throws -> Output {
    let process = Process()
    process.executableURL = try url
    process.arguments = arguments
    let errorFile = temporaryURL()
    #expect(FileManager.default.createFile(atPath: errorFile.path, contents: nil))
    defer { try? FileManager.default.removeItem(at: errorFile) }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Output(
      status: process.terminationStatus, text: String(decoding: text, as: UTF8.self),
      errors: try String(contentsOf: errorFile, encoding: .utf8))
  }

  /// A unique temporary location.
  static func temporaryURL() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("varve-demo-\(UUID().uuidString)")
  }

  /// The executable is next to the bundle of the tests.
  private static var url: URL {
    get throws {
      let runner = try #require(Bundle.main.executableURL)
      let candidates = [runner, Bundle(for: Anchor.self).bundleURL].map {
        $0.deletingLastPathComponent().appendingPathComponent("package-index")
      }
      return try #require(
        candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) })
    }
  }

  private final class Anchor {}
}
