import ArgumentParser

/// Tells what is in a store: classes, counts, versions, and who reads it.
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Tells what is in a store: classes, counts, versions, and who reads it.")

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  func run() throws {
    try Terminal.standard.print(try StoreReport(inspecting: file).lines().joined(separator: "\n"))
  }
}
