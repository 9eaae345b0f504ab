import ArgumentParser
import Foundation

/// Counts the cost of operations, and compares it with thresholds.
@main
struct Program: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "varve-operations",
    abstract:
      "Counts instructions and allocations of Varve's core operations, and measures memory.",
    subcommands: [
      CheckCommand.self, OpenCommand.self, RunCommand.self, RunFigureCommand.self,
      MakeStoresCommand.self,
    ], defaultSubcommand: CheckCommand.self)
}

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Compares all operations and figures with their thresholds and limits.",
    discussion: """
      Instructions are counted by valgrind's callgrind, which gives nearly the same counts on a busy machine; \
      allocations are those of the calling thread. An operation may exceed its threshold by 5 % of the instructions \
      and 1 % of the allocations; if its cost depends on time, by 30 % of both. An operation above its threshold is \
      measured up to three times, and the least cost counts: work of other threads only adds to it. Reading a \
      property of fixed size must not allocate, and “--update” writes nothing otherwise. Counts depend on the \
      compiler: the file is named after it.

      Figures are bytes of resident memory that belongs to no file: of an open store that nobody reads, of one that \
      has written five small transactions, of a pinned version, and of a process that has closed a thousand stores. \
      They may exceed their thresholds by 5 %, and never their limits: 100 KiB, 400 KiB, 16 KiB, and ten percent of \
      the memory of the process more than before. A commit beside a thousand realms that nobody reads may take up to \
      125 % of the CPU time of one without them.
      """)

  @Option(help: "The file of thresholds.")
  var thresholds: String

  @Flag(help: "Write the measured costs into the file.")
  var update = false

  @Option(help: "Operations and figures, separated by commas. Default: all.")
  var only: String?

  func run() throws {
    let file = URL(fileURLWithPath: thresholds)
    let isThere = FileManager.default.fileExists(atPath: thresholds)
    guard isThere || update else {
      throw ValidationError(
        "“\(thresholds)” does not exist; “--update” writes it (make bench-check CHECK_ARGUMENTS=--update)."
      )
    }
    var known = isThere ? try Thresholds(contentsOf: file) : Thresholds()
    let names = only.map { $0.split(separator: ",").map(String.init) }
    let operations = Operation.all.filter { names?.contains($0.name) ?? true }
    let figures = Figure.all.filter { names?.contains($0.name) ?? true }
    guard !operations.isEmpty || !figures.isEmpty else {
      throw ValidationError("No such operation.")
    }
    var failures = Failures()
    if !operations.isEmpty { try check(operations, &known, &failures) }
    if !figures.isEmpty { try check(figures, &known, &failures) }
    guard failures.unconditional.isEmpty else {
      throw MeasurementFailure(failures.unconditional.joined(separator: "; "))
    }
    if update {
      try known.write(to: file)
    } else if !failures.worse.isEmpty {
      throw MeasurementFailure("above the threshold: \(failures.worse.joined(separator: ", "))")
    }
  }

  private struct Failures {
    /// The names of what exceeds its threshold.
    var worse: [String] = []
    /// What is not allowed with any thresholds.
    var unconditional: [String] = []
  }

  private func check(
    _ operations: [Operation], _ known: inout Thresholds, _ failures: inout Failures
  ) throws {
    let measurement = try Measurement()
    print(Verdict.title)
    for operation in operations {
      let threshold = known.operations[operation.name]
      var cost = try measurement.cost(of: operation)
      var verdict: Verdict {
        Verdict(cost: cost, threshold: threshold, isTimed: operation.isTimed)
      }
      var attempts = 1
      while !update, threshold != nil, attempts < 3,
        !verdict.isAllowed || operation.allocatesNothing && cost.allocations > 0
      {
        let again = try measurement.cost(of: operation)
        cost = Cost(
          instructions: min(cost.instructions, again.instructions),
          allocations: min(cost.allocations, again.allocations))
        attempts += 1
      }
      print(verdict.line(operation.name))
      if !verdict.isAllowed { failures.worse.append(operation.name) }
      if operation.allocatesNothing && cost.allocations > 0 {
        failures.unconditional.append("\(operation.name) must not allocate")
      }
      known.operations[operation.name] = cost
    }
  }

  private func check(
    _ figures: [Figure], _ known: inout Thresholds, _ failures: inout Failures
  ) throws {
    print(FigureVerdict.title)
    for figure in figures {
      func measure() throws -> FigureVerdict {
        FigureVerdict(
          measured: try figure.measureElsewhere(), threshold: known.figures[figure.name],
          hasThreshold: figure.hasThreshold)
      }
      var verdict = try measure()
      var attempts = 1
      while attempts < 3, !verdict.isWithinLimit || !update && !verdict.isAllowed {
        let again = try measure()
        if again.measured.number < verdict.measured.number { verdict = again }
        attempts += 1
      }
      print(verdict.line(figure.name))
      if !verdict.isAllowed { failures.worse.append(figure.name) }
      if !verdict.isWithinLimit {
        failures.unconditional.append("\(figure.name) is above \(verdict.measured.limit)")
      }
      if figure.hasThreshold { known.figures[figure.name] = verdict.measured.number }
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
