package import Foundation

/// Further processes of this program, on a store that this one has open.
package struct ChildProcesses: Sendable {
  /// As on the command line: `varve-bench child ENGINE DIRECTORY JOB`, the job as JSON.
  package static let command = "child"

  /// Runs a job in a new process, or as a test wants it.
  ///
  /// - Returns: Waits for the end, and gives what the job gave.
  package typealias Start = @Sendable (_ job: ChildJob) throws -> @Sendable () throws -> Data

  private let start: Start

  package init(start: @escaping Start) {
    self.start = start
  }

  /// Processes of this program.
  ///
  /// - Parameters:
  ///   - engine: The engine's name.
  ///   - directory: Where its store is.
  package init(engine: String, directory: URL) {
    self.init { try Self.start(engine, directory, $0) }
  }

  /// Runs a job in another process.
  ///
  /// - Parameters:
  ///   - job: What to do.
  ///   - type: What it gives.
  /// - Returns: Waits for the end, and gives what the job gave; to be called once.
  /// - Throws: ``BenchmarkError`` when it fails.
  func run<Answer: Decodable>(
    _ job: ChildJob, giving type: Answer.Type = Answer.self
  ) throws -> () throws -> Answer {
    let end = try start(job)
    return { try JSONDecoder().decode(Answer.self, from: end()) }
  }

  private static func start(
    _ engine: String, _ directory: URL, _ job: ChildJob
  ) throws -> @Sendable () throws -> Data {
    let text = String(decoding: try JSONEncoder().encode(job), as: UTF8.self)
    let process = Process.ofThisProgram([command, engine, directory.path, text])
    let output = Pipe()
    process.standardOutput = output
    // The parent's input belongs to the parent.
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return {
      let answer = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw BenchmarkError("a child process ended with \(process.terminationStatus)")
      }
      return answer
    }
  }
}

extension Process {
  /// One more process of this program; to be started.
  ///
  /// - Parameter arguments: As on the command line.
  /// - Returns: The process.
  static func ofThisProgram(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    return process
  }
}
