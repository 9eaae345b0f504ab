import ArgumentParser
import BenchmarkKit
import Foundation

/// The command: measures engines, or runs a further process of a measurement.
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
      Each workload is repeated, checked, and told as the median with the spread. Engines have a process each, and take \
      turns. Build with “swift build -c release”; anything else measures the compiler. “varve-bench list” tells the \
      workloads; W3 stands for W3a, W3b and so on, “W2*” for all that begin so, “all” for all. Varve's queries scan a large table on as many threads \
      as the process may run on: “taskset -c 0 varve-bench …” measures one core. Latencies and growth are those of the \
      machine too: on a busy one an observer is called late, and pins what is committed meanwhile.
      """)

  @Option(help: "Engines, divided by commas: \(Engines.names); “all” for all.")
  var engines = "varve"

  @Option(help: "Workloads or groups of them, divided by commas.")
  var workloads = Workload.standard.joined(separator: ",")

  @Option(help: "What to multiply all sizes with.")
  var scale = 1.0

  @Option(name: .customLong("repeat"), help: "How often to run each workload.")
  var repeats = 3

  @Option(help: "A file to which results are appended, a line of JSON each.")
  var json: String?

  @Option(help: "The version of the sources, to be told in each line of JSON.")
  var commit: String?

  @Option(help: "Where to make the stores: a directory on the disk to be measured.")
  var directory = FileManager.default.temporaryDirectory.path

  func validate() throws {
    guard scale > 0, scale <= 1000 else {
      throw ValidationError("--scale must be positive, and 1000 at most.")
    }
    guard repeats > 0 else { throw ValidationError("--repeat must be at least 1.") }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory),
      isDirectory.boolValue
    else { throw ValidationError("--directory: there is no directory “\(directory)”.") }
    guard try !Engines.selected(by: engines).isEmpty else {
      throw ValidationError("--engines names none.")
    }
    guard try !selectedWorkloads().isEmpty else { throw ValidationError("--workloads names none.") }
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
        throw ValidationError("There is no workload “\(name)”; “varve-bench list” tells them.")
      }
      names.formUnion(selected.map(\.name))
    }
    return Workload.all.filter { names.contains($0.name) }
  }
}

/// Lists the workloads.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Tells the workloads.")

  func run() {
    for workload in Workload.all {
      print(workload.name.padding(toLength: 26, withPad: " ", startingAt: 0) + workload.summary)
    }
  }
}
