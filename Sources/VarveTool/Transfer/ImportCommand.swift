import ArgumentParser
import Foundation
import Varve
import VarveJSONLines

/// Makes a store of JSON Lines.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Makes a store of JSON Lines that “varve export” wrote.",
    discussion: """
      The store must not have objects; one that is not there is made. Every line is checked, and what is \
      wrong is told with its line, class, property and value. Then nothing is imported, and a store that \
      was made is taken away again.
      """)

  @Argument(help: "The text, “-” for the standard input.", completion: .file())
  var input: String

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var store: String

  func run() throws {
    try ToolError.translating { try importLines() }
  }

  private func importLines() throws {
    // Before a store is made for it.
    let source = try input == "-" ? FileHandle.standardInput : Self.open(input)
    let file = StoreFile(store)
    let isNew = !file.exists
    var progress = TransferProgress("Import", terminal: .standard)
    do {
      try file.openForWriting().importJSONLines(from: source) { progress.update($0, $1) }
    } catch {
      progress.clear()
      if isNew { file.removeIfEmpty() }
      if error is Realm.Error { throw error }
      throw ToolError("The text could not be read", because: error)
    }
    progress.finish(isQuiet: false)
    try file.close()
  }

  private static func open(_ path: String) throws -> FileHandle {
    do {
      return try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    } catch {
      throw ToolError("The text cannot be opened\n  \(path)", because: error)
    }
  }
}
