import Foundation

/// A process of this program that runs workloads on one engine, so that its memory use is measured
/// separately.
///
/// It reads one ``WorkerRequest`` per line and answers each with a ``WorkerAnswer`` on one line. It
/// ends at the end of its input.
package final class WorkerProcess: Worker {
  /// The command: `varve-bench work ENGINE DIRECTORY SCALE`.
  package static let command = "work"

  package let name: String

  private let engine: any Engine.Type
  private let process: Process
  private let input = Pipe()
  private let output = Pipe()
  private var received = Data()

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - engine: The type of the engine.
  ///   - directory: The directory for its stores.
  ///   - scale: The factor of all sizes.
  /// - Throws: Any error of Foundation.
  package init(_ engine: any Engine.Type, directory: String, scale: Double) throws {
    name = engine.name
    self.engine = engine
    process = Process.ofThisProgram([Self.command, engine.name, directory, "\(scale)"])
    process.standardInput = input
    process.standardOutput = output
    // A request to a worker that has ended must fail, and not kill this process.
    signal(SIGPIPE, SIG_IGN)
    try process.run()
  }

  /// The process id.
  package var processID: Int32 { process.processIdentifier }

  package func largestCount(of workload: Workload) -> Int { engine.largestCount(of: workload) }

  package func measure(_ workload: Workload, size: Int) throws -> [Sample] {
    let request = WorkerRequest(workload: workload.name, size: size)
    try input.fileHandleForWriting.write(
      contentsOf: JSONEncoder().encode(request) + Data("\n".utf8))
    switch try JSONDecoder().decode(WorkerAnswer.self, from: try line()) {
    case .samples(let samples): return samples
    case .notOffered(let reason): throw NotOffered(reason)
    case .failed(let reason): throw BenchmarkError(reason)
    }
  }

  private func line() throws -> Data {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        let line = received[..<end]
        received = Data(received[(end + 1)...])
        return Data(line)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else {
        throw BenchmarkError("the process that measures \(name) ended too early")
      }
      received += more
    }
  }

  /// Requests the process to close its store and end.
  package func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}

/// The request for a workload.
package struct WorkerRequest: Codable, Sendable {
  package var workload: String
  package var size: Int
}

/// The answer of a worker.
package enum WorkerAnswer: Codable, Sendable {
  case samples([Sample])
  case notOffered(String)
  case failed(String)

  /// Runs the workload of a request and records its result.
  ///
  /// - Parameter shelf: Runs the workload.
  package init(to request: WorkerRequest, from shelf: Shelf) {
    guard let workload = Workload.all.first(where: { $0.name == request.workload }) else {
      self = .failed("there is no workload \(request.workload)")
      return
    }
    do {
      self = .samples(try shelf.measure(workload, size: request.size))
    } catch let error as NotOffered {
      self = .notOffered(error.reason)
    } catch {
      self = .failed("\(error)")
    }
  }
}
