import ArgumentParser

/// Prints the sizes of the tables, classes, objects and collections of a store.
struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Prints the sizes of the tables, classes, objects and collections of a store.",
    discussion: """
      Everything is read; “varve info --sizes” prints the sizes of the tables at once. “fill” is the share \
      of the pages that keys and values take. The size of an object is that of its row and of its long \
      strings and data; collections outside of it are listed by their numbers of elements.
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Option(help: ArgumentHelp("The number of largest objects and collections.", valueName: "count"))
  var largest = 10

  @Flag(help: "Print the sizes as one JSON object.")
  var json = false

  func validate() throws {
    guard (0...1000).contains(largest) else {
      throw ValidationError("--largest is a number from 0 to 1000.")
    }
  }

  func run() throws {
    let stop = try StopRequest()
    let bar = SharedProgressBar("Read", isShown: true)
    let statistics = try StoreVersion.read(file) { version in
      defer { bar.clear() }
      return try StoreStatistics(of: version, listing: largest) {
        if stop.isMade { throw ToolError("The command was stopped.") }
        bar.update($0, $1)
      }
    }
    try Terminal.standard.print(
      json ? statistics.json : statistics.lines().joined(separator: "\n"))
  }
}
