import ArgumentParser
import BenchmarkKit
import Foundation

/// The command, which measures engines, or runs another process of a measurement.
@main
struct Program: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "varve-bench",
    abstract: "Measures Varve and other stores on the same workloads.",
    subcommands: [
      BenchCommand.self, ListCommand.self, VersionsCommand.self, WorkCommand.self,
      ChildCommand.self,
    ],
    defaultSubcommand: BenchCommand.self)
}

/// Measures engines.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure",
    abstract: "Measures Varve and other stores on the same workloads.",
    discussion: """
      Runs each workload several times, checks every answer, and prints the median, the minimum \
      and the maximum. Each engine has its own process; the engines take turns. Build with \
      “swift build -c release”. “varve-bench list” lists the workloads. A group selects all its \
      workloads (W3: W3a, W3b, …), a star completes a prefix (“W2*”), and “all” selects all. Varve \
      scans a large table on all cores available to the process; “taskset -c 0 varve-bench …” \
      measures one core. Latencies and growth depend on the load of the machine: if an observer is \
      called late, it pins a version for longer.
      """)

  @Option(help: "Engines, separated by commas: \(Engines.names); or “all”.")
  var engines = "varve"

  @Option(help: "Workloads or groups, separated by commas.")
  var workloads = Workload.standard.joined(separator: ",")

  @Option(help: "The factor of all sizes.")
  var scale = 1.0

  @Option(name: .customLong("repeat"), help: "The number of runs of each workload.")
  var repeats = 3

  @Option(help: "The file to which results are appended, as JSON Lines.")
  var json: String?

  @Option(help: "The version of the sources, recorded in each line of JSON.")
  var commit: String?

  @Option(help: "The directory of the stores, on the disk to measure.")
  var directory = FileManager.default.temporaryDirectory.path

  func validate() throws {
    guard scale > 0, scale <= 1000 else {
      throw ValidationError("--scale must be greater than 0, and at most 1000.")
    }
    guard repeats > 0 else { throw ValidationError("--repeat must be at least 1.") }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory),
      isDirectory.boolValue
    else { throw ValidationError("--directory: “\(directory)” is not a directory.") }
    guard try !Engines.selected(by: engines).isEmpty else {
      throw ValidationError("--engines selects no engine.")
    }
    guard try !selectedWorkloads().isEmpty else { throw ValidationError("--workloads is empty.") }
  }

  func run() throws {
    let file = try ResultFile(
      path: json,
      run: RecordedRun(
        scale: scale, date: Date.now.formatted(.iso8601.year().month().day()), commit: commit))
    let stores = try RunDirectory(in: directory)
    defer { stores.remove() }
    let workers = try Engines.selected(by: engines).map {
      try WorkerProcess($0, directory: stores.path, scale: scale)
    }
    let interruptions = stores.removeWhenInterrupted(ending: workers)
    defer {
      for worker in workers { worker.end() }
      withExtendedLifetime(interruptions) {}
    }
    try ResultFile.tell(ResultFile.title)
    try Schedule(selectedWorkloads(), scale: scale, repeats: repeats).run(on: workers) {
      try ResultFile.tell(ResultFile.line($0))
      try file.append($0)
    } report: {
      try ResultFile.tell(ResultFile.line($0))
      try file.append($0)
    }
  }

  /// The selected workloads, in the order of all workloads: those that read the same store are
  /// adjacent.
  private func selectedWorkloads() throws -> [Workload] {
    var names: Set<String> = []
    for name in workloads.commaSeparated {
      let selected = Workload.selected(by: name)
      guard !selected.isEmpty else {
        throw ValidationError("There is no workload “\(name)”; “varve-bench list” lists them.")
      }
      names.formUnion(selected.map(\.name))
    }
    return Workload.all.filter { names.contains($0.name) }
  }
}

/// Lists the workloads.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the workloads.")

  func run() {
    for workload in Workload.all {
      print(workload.name.padding(toLength: 26, withPad: " ", startingAt: 0) + workload.summary)
    }
  }
}
