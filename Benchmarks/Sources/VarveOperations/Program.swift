import ArgumentParser
import Foundation

/// Counts the cost of operations, and compares it with thresholds.
@main
struct Program: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "varve-operations",
    abstract: "Counts instructions and allocations of Varve's core operations.",
    subcommands: [CheckCommand.self, RunCommand.self], defaultSubcommand: CheckCommand.self)
}

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Compares all operations with their thresholds.",
    discussion: """
      Instructions are counted by valgrind's callgrind, which repeats them on a busy machine too; allocations are those \
      of the calling thread. An operation may take five in a hundred more than the file says, and a hundredth of an \
      allocation. Reading a property of fixed size may not allocate at all, whatever the file says, and “--update” \
      writes nothing then. Counts depend on the compiler: the file is named after it.
      """)

  @Option(help: "The file of thresholds.")
  var thresholds: String

  @Flag(help: "Write what is measured into the file.")
  var update = false

  @Option(help: "Operations, divided by commas; all if it is not given.")
  var only: String?

  func run() throws {
    let file = URL(fileURLWithPath: thresholds)
    let isThere = FileManager.default.fileExists(atPath: thresholds)
    guard isThere || update else {
      throw ValidationError(
        "There are no thresholds in “\(thresholds)”; “--update” writes them (make bench-check CHECK_ARGUMENTS=--update)."
      )
    }
    var known: [String: Cost] =
      isThere
      ? try JSONDecoder().decode([String: Cost].self, from: Data(contentsOf: file)) : [:]
    let names = only.map { $0.split(separator: ",").map(String.init) }
    let operations = Operation.all.filter { names?.contains($0.name) ?? true }
    guard !operations.isEmpty else { throw ValidationError("There is no such operation.") }
    var worse: [String] = []
    var allocating: [String] = []
    let measurement = try Measurement()
    print(Verdict.title)
    for operation in operations {
      let cost = try measurement.cost(of: operation)
      let verdict = Verdict(cost: cost, threshold: known[operation.name])
      print(verdict.line(operation.name))
      if !verdict.isAllowed { worse.append(operation.name) }
      if operation.allocatesNothing && cost.allocations > 0 { allocating.append(operation.name) }
      known[operation.name] = cost
    }
    guard allocating.isEmpty else {
      throw MeasurementFailure("must not allocate: \(allocating.joined(separator: ", "))")
    }
    if update {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try (encoder.encode(known.mapValues(\.rounded)) + Data("\n".utf8)).write(to: file)
    } else if !worse.isEmpty {
      throw MeasurementFailure("costs more than it may: \(worse.joined(separator: ", "))")
    }
  }
}

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Does an operation some times; started by “check”.",
    shouldDisplay: false)

  @Argument(help: "The operation.")
  var operation: String

  @Argument(help: "How often.")
  var count: Int

  func run() throws {
    guard let found = Operation.all.first(where: { $0.name == operation }) else {
      throw ValidationError("There is no operation “\(operation)”.")
    }
    print(Measurement.answer + "\(try Measurement.countAllocations(found, count))")
  }
}
