import ArgumentParser
import Varve

/// Checks that all that a store holds agrees with all else.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks the pages of a store, and that all that it holds agrees with all else.",
    discussion: """
      Nothing is changed, and nobody is kept from writing. Each problem is a line of the output. The exit code is 0 for a \
      store without problems, else 1.
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
