import ArgumentParser

/// Prints the content of a store: classes, counts, versions, and readers.
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Prints the content of a store: classes, counts, versions, and readers.")

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  func run() throws {
    try Terminal.standard.print(try StoreReport(inspecting: file).lines().joined(separator: "\n"))
  }
}
