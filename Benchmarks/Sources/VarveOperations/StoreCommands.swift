import ArgumentParser
import Foundation
import Varve

struct RunFigureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run-figure", abstract: "Measures a figure; called by “check”.",
    shouldDisplay: false)

  @Argument(help: "The figure.")
  var figure: String

  func run() throws {
    guard let found = Figure.all.first(where: { $0.name == figure }) else {
      throw ValidationError("No figure “\(figure)”.")
    }
    let measured = try found.measure()
    print(Figure.answer + "\(measured.number)")
    print(Figure.limitAnswer + "\(measured.limit)")
  }
}

struct MakeStoresCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make-stores", abstract: "Makes small stores; called by the other commands.",
    shouldDisplay: false)

  @Argument(help: "An empty directory.")
  var directory: String

  @Argument(help: "The number of stores.")
  var count: Int

  func run() throws { try ManyStores.make(count, in: directory) }
}

struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Measures how long many stores that exist take to open and to close.",
    discussion: """
      The same process does it three times. LMDB allocates 3 MB for each store, which the C library has to clear \
      if the memory was in use before: the third time, in most cases.
      """)

  @Option(help: "The number of stores.")
  var count = 1000

  @Option(help: "The directory of their directory. Default: that of temporary files.")
  var directory: String?

  @Flag(help: "Open the stores with durability none.")
  var withoutDurability = false

  @Flag(help: "Open the stores without a list of classes.")
  var withoutClasses = false

  func run() throws {
    let stores = try ManyStores(
      count: count,
      in: directory.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory,
      durability: withoutDurability ? .none : .full, namesClasses: !withoutClasses)
    for _ in 0..<3 {
      let clock = ContinuousClock()
      let opening = try clock.measure { try stores.open(count) }
      let closing = try clock.measure { try stores.close(count) }
      print("opening \(Self.text(opening)), closing \(Self.text(closing))")
    }
    try stores.remove()
  }

  private static func text(_ time: Duration) -> String {
    "\((time / .seconds(1)).formatted(.number.precision(.fractionLength(2)))) s"
  }
}
