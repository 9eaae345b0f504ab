import ArgumentParser
import Varve

/// Checks the pages of a store and the consistency of its content.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks the pages of a store and the consistency of its content.",
    discussion: """
      All pages are checked, with the free list, and then that rows, indexes, links, collections and \
      blobs agree. The store is not changed, and writers are not blocked. Each problem is a line of \
      the output. The exit code is 0 for a store without problems, 1 for one with problems, 2 when \
      the file could not be opened or read, or the output not be written, and 64 for invalid \
      arguments.
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Flag(help: "Print the report as one JSON object.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  func run() throws {
    let report = try ToolError.exiting(with: 2) {
      let start = ContinuousClock.now
      let report = try StoreLocation(file).check(showingProgress: !quiet)
      let duration = ContinuousClock.now - start
      if !quiet {
        try Terminal.standard.print(json ? report.json : report.text(duration))
      }
      return report
    }
    guard report.isSound else {
      throw ToolError(
        "The store has \(Quantity.count(report.problemCount, "problem")).\n  \(file)")
    }
  }
}
