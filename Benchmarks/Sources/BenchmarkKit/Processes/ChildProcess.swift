package import Foundation

/// Further processes of this program, on a store that this process has open.
package struct ChildProcesses: Sendable {
  /// The command: `varve-bench child ENGINE DIRECTORY JOB`, with the job as JSON.
  package static let command = "child"

  /// Runs a job in a new process, or in a substitute of a test.
  ///
  /// - Returns: A closure that waits for the end, and returns the result of the job.
  package typealias Start = @Sendable (_ job: ChildJob) throws -> @Sendable () throws -> Data

  private let start: Start

  package init(start: @escaping Start) {
    self.start = start
  }

  /// Creates a launcher of processes of this program.
  ///
  /// - Parameters:
  ///   - engine: The engine's name.
  ///   - directory: The directory of its store.
  package init(engine: String, directory: URL) {
    self.init { try Self.start(engine, directory, $0) }
  }

  /// Runs a job in another process.
  ///
  /// - Parameter type: The type of the result.
  /// - Returns: A closure that waits for the end, and returns the result of the job. Call it once.
  /// - Throws: ``BenchmarkError`` when the job fails.
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
    // The standard input belongs to the parent.
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
  /// Creates another process of this program, which is not started yet.
  ///
  /// - Parameter arguments: The command line arguments.
  static func ofThisProgram(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    return process
  }
}
