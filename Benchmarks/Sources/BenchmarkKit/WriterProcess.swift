package import Foundation

/// A second process of this program, that commits what this one observes.
package struct WriterProcess: Sendable {
  /// As on the command line: `varve-bench write ENGINE DIRECTORY COMMITS MILLISECONDS`.
  package static let command = "write"

  /// Has the process commit, and waits for its end.
  ///
  /// - Parameters:
  ///   - engine: The engine's name.
  ///   - directory: Where the store is.
  ///   - commits: How many commits to make.
  ///   - pause: How long to wait before each, in milliseconds.
  /// - Returns: The commits in order.
  /// - Throws: ``BenchmarkError`` when it fails.
  package static func run(
    _ engine: String, in directory: URL, commits: Int, pause: Int
  ) throws -> [TimedCommit] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [command, engine, directory.path, "\(commits)", "\(pause)"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkError("the writing process ended with \(process.terminationStatus)")
    }
    return try JSONDecoder().decode([TimedCommit].self, from: text)
  }
}
