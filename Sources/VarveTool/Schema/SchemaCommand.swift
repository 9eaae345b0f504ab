import ArgumentParser
import VarveCore
import VarveJSONLines

/// Prints the classes of a store.
struct SchemaCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text
    case swift
    case json
  }

  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the classes of a store.",
    discussion: """
      The Swift output is a source file with the model classes, ready to compile; linking objects are \
      not stored, and enumerations are declared as their raw values. The JSON output is the schema of \
      the header of “varve export”.
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Option(
    name: [.customLong("as"), .customLong("format")],
    help: ArgumentHelp("The output.", valueName: "format"))
  var format: Format = .text

  @Flag(help: "Print JSON, as --as json does.")
  var json = false

  func run() throws {
    try StoreVersion.read(file) { version in
      try StandardOutput.printing { output in
        switch json ? .json : format {
        case .text:
          for (index, schema) in version.schema.classesByName.enumerated() {
            if index > 0 { try output.line("") }
            let summary = StoreReport.ClassSummary(schema, in: version.schema, version.snapshot)
            for line in summary.lines() { try output.line(line) }
          }
        case .swift:
          for line in try SwiftSchema(version.schema).lines() { try output.line(line) }
        case .json:
          var json = JSONWriter { try output.write($0) }
          json.beginObject()
          json.writeSchema(version.schema)
          json.endObject()
          json.endLine()
          try json.flush()
        }
      }
    }
  }
}
