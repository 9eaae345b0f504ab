import Foundation

/// A process of this program that runs workloads on one engine, so that what one needs of memory is its own.
///
/// It reads a ``WorkerRequest`` a line and answers each with a ``WorkerAnswer`` a line; it ends when its input does.
package final class WorkerProcess: Worker {
  /// As on the command line: `varve-bench work ENGINE DIRECTORY SCALE`.
  package static let command = "work"

  package let name: String

  private let engine: any Engine.Type
  private let process: Process
  private let input = Pipe()
  private let output = Pipe()
  private var received = Data()

  /// Starts it.
  ///
  /// - Parameters:
  ///   - engine: The engine.
  ///   - directory: Where it makes its stores.
  ///   - scale: What sizes are multiplied with.
  /// - Throws: What Foundation throws.
  package init(_ engine: any Engine.Type, directory: String, scale: Double) throws {
    name = engine.name
    self.engine = engine
    process = Process.ofThisProgram([Self.command, engine.name, directory, "\(scale)"])
    process.standardInput = input
    process.standardOutput = output
    // A request to one that has ended fails, and does not end this process.
    signal(SIGPIPE, SIG_IGN)
    try process.run()
  }

  /// As the system numbers processes.
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

  /// Has it close its store and end.
  package func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}

/// What a worker is asked for.
package struct WorkerRequest: Codable, Sendable {
  package var workload: String
  package var size: Int
}

/// What it answers.
package enum WorkerAnswer: Codable, Sendable {
  case samples([Sample])
  case notOffered(String)
  case failed(String)

  /// Runs a workload.
  ///
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - shelf: Runs it.
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
