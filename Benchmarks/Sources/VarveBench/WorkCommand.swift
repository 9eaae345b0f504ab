import ArgumentParser
import BenchmarkKit
import Foundation
import ProcessCalls

/// The process of an engine, which runs the requested workloads.
struct WorkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: WorkerProcess.command,
    abstract: "Runs workloads on one engine. Started by “measure”.", shouldDisplay: false)

  @Argument(help: "The engine.")
  var engine: String

  @Argument(help: "The directory for stores.")
  var directory: String

  @Argument(help: "The factor of all sizes.")
  var scale: Double

  func run() throws {
    end_with_parent()
    let shelf = Shelf(
      try Engines.named(engine), directory: URL(fileURLWithPath: directory, isDirectory: true),
      scale: scale)
    while let line = readLine() {
      let request = try JSONDecoder().decode(WorkerRequest.self, from: Data(line.utf8))
      let answer = WorkerAnswer(to: request, from: shelf)
      try FileHandle.standardOutput.write(
        contentsOf: JSONEncoder().encode(answer) + Data("\n".utf8))
    }
    try shelf.clear()
  }
}

/// Another process on the store of an engine.
struct ChildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ChildProcesses.command,
    abstract: "Reads or writes a shared store. Started by “work”.", shouldDisplay: false)

  @Argument(help: "The engine.")
  var engine: String

  @Argument(help: "The directory of the store.")
  var directory: String

  @Argument(help: "The job, as JSON.")
  var job: String

  func run() throws {
    end_with_parent()
    let store = try Engines.named(engine).init(
      directory: URL(fileURLWithPath: directory, isDirectory: true), durability: .full)
    guard let store = store as? any PersonEngine else {
      throw ValidationError("“\(engine)” does not store persons.")
    }
    let job = try JSONDecoder().decode(ChildJob.self, from: Data(job.utf8))
    let answer = try job.run(store)
    try store.close()
    try FileHandle.standardOutput.write(contentsOf: answer)
  }
}
