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
      Instructions are counted by valgrind's callgrind, which gives nearly the same counts on a busy machine; \
      allocations are those of the calling thread. An operation may exceed its threshold by 5 % of the instructions \
      and 0.01 allocations. An operation above its threshold is measured up to three times, and the least cost counts: \
      work of other threads only adds to it. Reading a property of fixed size must not allocate, and “--update” \
      writes nothing otherwise. Counts depend on the compiler: the file is named after it.
      """)

  @Option(help: "The file of thresholds.")
  var thresholds: String

  @Flag(help: "Write the measured costs into the file.")
  var update = false

  @Option(help: "Operations, separated by commas. Default: all.")
  var only: String?

  func run() throws {
    let file = URL(fileURLWithPath: thresholds)
    let isThere = FileManager.default.fileExists(atPath: thresholds)
    guard isThere || update else {
      throw ValidationError(
        "“\(thresholds)” does not exist; “--update” writes it (make bench-check CHECK_ARGUMENTS=--update)."
      )
    }
    var known: [String: Cost] =
      isThere
      ? try JSONDecoder().decode([String: Cost].self, from: Data(contentsOf: file)) : [:]
    let names = only.map { $0.split(separator: ",").map(String.init) }
    let operations = Operation.all.filter { names?.contains($0.name) ?? true }
    guard !operations.isEmpty else { throw ValidationError("No such operation.") }
    var worse: [String] = []
    var allocating: [String] = []
    let measurement = try Measurement()
    print(Verdict.title)
    for operation in operations {
      let threshold = known[operation.name]
      var cost = try measurement.cost(of: operation)
      var attempts = 1
      while !update, threshold != nil, attempts < 3,
        !Verdict(cost: cost, threshold: threshold).isAllowed
          || operation.allocatesNothing && cost.allocations > 0
      {
        let again = try measurement.cost(of: operation)
        cost = Cost(
          instructions: min(cost.instructions, again.instructions),
          allocations: min(cost.allocations, again.allocations))
        attempts += 1
      }
      let verdict = Verdict(cost: cost, threshold: threshold)
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
      throw MeasurementFailure("above the threshold: \(worse.joined(separator: ", "))")
    }
  }
}

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Runs an operation a number of times; called by “check”.",
    shouldDisplay: false)

  @Argument(help: "The operation.")
  var operation: String

  @Argument(help: "The number of runs.")
  var count: Int

  func run() throws {
    guard let found = Operation.all.first(where: { $0.name == operation }) else {
      throw ValidationError("No operation “\(operation)”.")
    }
    print(Measurement.answer + "\(try Measurement.countAllocations(found, count))")
  }
}
