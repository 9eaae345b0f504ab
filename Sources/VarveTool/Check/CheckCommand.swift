import ArgumentParser
import Varve

/// Checks the pages of a store and the consistency of its content.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks the pages of a store and the consistency of its content.",
    discussion: """
      The store is not changed, and writers are not blocked. Each problem is a line of the output. The \
      exit code is 0 for a store without problems, otherwise 1.
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  func run() throws {
    let report = try ToolError.translating {
      let store = StoreFile(file)
      let report = try store.openForReading().check()
      try store.close()
      return report
    }
    try Terminal.standard.print("\(report)")
    guard report.isSound else {
      throw ToolError(
        "The store has \(report.problemCount) problem\(report.problemCount == 1 ? "" : "s").\n  \(file)"
      )
    }
  }
}
