import ArgumentParser
import Foundation
import Varve
import VarveJSONLines

/// Exports a store as JSON Lines.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes the objects of a store as JSON Lines.",
    discussion: """
      The first line contains the format and the schema. It is followed by a line for each object: \
      {"class": "Dog", "key": "Rex", "values": {"age": 3, …}}, with an id in place of the key if the \
      class has no primary key. Embedded objects are written inside their parents, links are \
      {"class", "key"} or {"class", "id"}, data Base64, dates ISO 8601. Every value is exact, and \
      “varve import” recreates the same store. The export contains one version of the store; other \
      processes may write meanwhile.
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var store: String

  @Option(
    name: .customLong("class"), parsing: .singleValue,
    help: ArgumentHelp(
      "Export the objects of this class only; may be repeated.", valueName: "name"))
  var classNames: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The output file, “-” for the standard output. An existing file is replaced when the export is complete.",
      valueName: "file"))
  var output = "-"

  @Flag(
    help: "Indent each object over several lines for readability; “varve import” cannot read it.")
  var pretty = false

  @Flag(help: "Print the result as one JSON object; requires --output.")
  var json = false

  func validate() throws {
    if json, output == "-" { throw ValidationError("--json requires --output.") }
  }

  func run() throws {
    try ToolError.translating { try export() }
  }

  private func export() throws {
    let realm = try StoreLocation(store).openForReading()
    var progress = TransferProgress("Export", terminal: .errors)
    let stop = try StopRequest()
    func advance(_ done: Int, _ total: Int?) throws {
      if stop.isMade { throw ToolError("The export was stopped.") }
      progress.update(done, total)
    }
    let classes = classNames.isEmpty ? nil : classNames
    do {
      if output == "-" {
        try realm.exportJSONLines(
          to: .standardOutput, classes: classes, isIndented: pretty
        ) { try advance($0, $1) }
      } else {
        try realm.exportJSONLines(
          to: URL(fileURLWithPath: output), classes: classes, isIndented: pretty
        ) { try advance($0, $1) }
      }
    } catch {
      progress.clear()
      if error is Realm.Error || error is ToolError { throw error }
      // A closed pipe is not a failure.
      if output == "-", ToolError.isBrokenPipe(error) { return }
      throw ToolError("The objects could not be written", because: error)
    }
    try progress.finish(isQuiet: output == "-", json: json)
  }
}
