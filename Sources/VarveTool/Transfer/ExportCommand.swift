import ArgumentParser
import Foundation
import Varve
import VarveJSONLines

/// Writes a store as JSON Lines.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes the objects of a store as JSON Lines.",
    discussion: """
      The first line has the format and the schema. Then comes a line for each object: \
      {"class": "Dog", "key": "Rex", "values": {"age": 3, …}}, with an id in place of the key where the \
      class has no primary key. Embedded objects stand within those that they belong to, links are \
      {"class", "key"} or {"class", "id"}, data Base64, dates ISO 8601. Every value is exact, and \
      “varve import” makes the same store of it. Other processes may go on writing meanwhile: one \
      version is written.
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var store: String

  @Option(
    name: .customLong("class"), parsing: .singleValue,
    help: ArgumentHelp(
      "Write the objects of this class only; may be given several times.", valueName: "name"))
  var classNames: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Where to write, “-” for the standard output. A file that is there is replaced when all is written.",
      valueName: "file"))
  var output = "-"

  @Flag(
    help: "Spread each object over several lines, to be read by people and not by “varve import”.")
  var pretty = false

  func run() throws {
    // A reader that has gone is no reason to die.
    signal(SIGPIPE, SIG_IGN)
    try ToolError.translating { try export() }
  }

  private func export() throws {
    let realm = try StoreFile(store).openForReading()
    var progress = TransferProgress("Export", terminal: .errors)
    let classes = classNames.isEmpty ? nil : classNames
    do {
      if output == "-" {
        try realm.exportJSONLines(
          to: .standardOutput, classes: classes, isIndented: pretty
        ) { progress.update($0, $1) }
      } else {
        try realm.exportJSONLines(
          to: URL(fileURLWithPath: output), classes: classes, isIndented: pretty
        ) { progress.update($0, $1) }
      }
    } catch let error as Realm.Error {
      progress.clear()
      throw error
    } catch {
      progress.clear()
      // Nobody reads any more: that is no failure.
      if output == "-", ToolError.isBrokenPipe(error) { return }
      throw ToolError("The objects could not be written", because: error)
    }
    progress.finish(isQuiet: output == "-")
  }
}
