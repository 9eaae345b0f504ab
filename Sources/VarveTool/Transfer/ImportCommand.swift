import ArgumentParser
import Foundation
import Varve
import VarveJSONLines

/// Imports JSON Lines into a store.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Imports JSON Lines written by “varve export” into a store.",
    discussion: """
      The store must not contain objects; it is created if it does not exist. Every line is checked, and \
      an error is reported with its line, class, property and value. Nothing is imported then, and a \
      store created by the command is removed.
      """)

  @Argument(help: "The text, “-” for the standard input.", completion: .file())
  var input: String

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var store: String

  @Flag(help: "Print the result as one JSON object.")
  var json = false

  func run() throws {
    try ToolError.translating { try importLines() }
  }

  private func importLines() throws {
    // Opened before a store is created for it.
    let source = try InputText.open(input)
    let file = StoreLocation(store)
    let isNew = !file.exists
    var progress = TransferProgress("Import", terminal: .standard)
    let stop = try StopRequest()
    do {
      try file.openForWriting().importJSONLines(from: source) {
        if stop.isMade { throw ToolError("The import was stopped. Nothing was stored.") }
        progress.update($0, $1)
      }
    } catch {
      progress.clear()
      if isNew { file.removeIfEmpty() }
      if error is Realm.Error || error is ToolError { throw error }
      throw ToolError("The text could not be read", because: error)
    }
    try file.close()
    try progress.finish(isQuiet: false, json: json)
  }
}
