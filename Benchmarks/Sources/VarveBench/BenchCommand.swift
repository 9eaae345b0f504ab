import ArgumentParser
import BenchmarkKit
import Foundation
import VarveEngine

/// Measures engines, or is the second process of a measurement.
@main
struct Program: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "varve-bench",
    abstract: "Measures Varve and other stores on the same workloads.",
    subcommands: [BenchCommand.self, WriteCommand.self], defaultSubcommand: BenchCommand.self)
}

/// Measures engines.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure",
    abstract: "Measures Varve and other stores on the same workloads.",
    discussion: """
      Each workload is repeated, checked, and told as the median with the spread. Build with \
      “swift build -c release”; anything else measures the compiler. W3, W6, W9 and diff stand for \
      all workloads that begin so. A query scans a large table on as many threads as the process may \
      run on: “taskset -c 0 varve-bench …” measures one core. Latencies and growth are those of the machine too: on a busy one an \
      observer is called late, and pins what is committed meanwhile.
      """)

  @Option(help: "Engines, divided by commas: \(BenchCommand.engineNames).")
  var engines = "varve"

  @Option(help: "Workloads, divided by commas: \(BenchCommand.workloadNames).")
  var workloads = Workload.standard.map(\.rawValue).joined(separator: ",")

  @Option(help: "What to multiply all sizes with.")
  var scale = 1.0

  @Option(name: .customLong("repeat"), help: "How often to run each workload.")
  var repeats = 3

  @Option(help: "A file to which results are appended, a line of JSON each.")
  var json: String?

  @Option(help: "Where to make the stores: a directory on the disk to be measured.")
  var directory = FileManager.default.temporaryDirectory.path

  func validate() throws {
    guard scale > 0, scale.isFinite else { throw ValidationError("--scale must be positive.") }
    guard repeats > 0 else { throw ValidationError("--repeat must be at least 1.") }
    _ = try selectedEngines()
    _ = try selectedWorkloads()
  }

  func run() throws {
    let report = try ResultFile(path: json)
    print(ResultFile.title)
    for engine in try selectedEngines() {
      for workload in try selectedWorkloads() {
        for result in try measure(engine, workload) {
          print(ResultFile.line(result))
          try report.append(result)
        }
      }
    }
  }

  static let engines: [String: any Engine.Type] = [
    VarveEngine.name: VarveEngine.self
  ]

  private static let engineNames = engines.keys.sorted().joined(separator: ", ")
  private static let workloadNames = Workload.allCases.map(\.rawValue).joined(separator: ", ")

  private func selectedEngines() throws -> [any Engine.Type] {
    try engines.split(separator: ",").map { name in
      guard let engine = Self.engines[String(name)] else {
        throw ValidationError("There is no engine “\(name)”.")
      }
      return engine
    }
  }

  private func selectedWorkloads() throws -> [Workload] {
    try workloads.split(separator: ",").flatMap { (name) throws -> [Workload] in
      let selected = Workload.selected(by: String(name))
      guard !selected.isEmpty else {
        throw ValidationError("There is no workload “\(name)”.")
      }
      return selected
    }
  }

  private func measure<E: Engine>(_: E.Type, _ workload: Workload) throws -> [WorkloadResult] {
    try WorkloadRun<E>(
      workload, scale: scale, repeats: repeats,
      directory: URL(fileURLWithPath: directory, isDirectory: true)
    ).measure()
  }
}
