import ArgumentParser

/// Prints the content of a store: classes, counts, versions, and readers.
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Prints the content of a store: classes, counts, versions, and readers.")

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Flag(help: "Print the sizes of the tables as well.")
  var sizes = false

  @Flag(help: "Print the report as one JSON object.")
  var json = false

  func run() throws {
    let report = try StoreReport(inspecting: file, hasTables: sizes)
    try Terminal.standard.print(
      json ? report.json : report.lines().joined(separator: "\n"))
  }
}
