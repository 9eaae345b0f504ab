import ArgumentParser
import VarveCore
import VarveJSONLines

/// Prints the difference between two stores.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Prints the difference between two stores.",
    discussion: """
      Objects are compared by their primary keys, or by their ids in the files if their class has no \
      primary key and one file is a copy of the other; choose other classes with --class if neither is. \
      Each line is an object that was inserted, deleted or modified on the way from the first store to \
      the second, with the values that differ; the first lines are the classes and properties that \
      differ. A line of JSON is that of “varve watch”, without versions and with whole collections; a \
      line of the schema has the change “schema”. The exit code is 0 for stores with the same content, 1 \
      for others, 2 when they cannot be compared, and 64 for invalid arguments.
      """)

  @Argument(help: "The first store.", completion: .file(extensions: ["varve"]))
  var old: String

  @Argument(help: "The second store.", completion: .file(extensions: ["varve"]))
  var new: String

  @Option(
    name: .customLong("class"), parsing: .singleValue,
    help: ArgumentHelp("Compare this class only; may be repeated.", valueName: "name"))
  var classNames: [String] = []

  @Flag(help: "Print JSON Lines.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  func run() throws {
    var isSame = true
    try ToolError.exiting(with: 2) {
      try StoreVersion.read(old) { old in
        try StoreVersion.read(new) { new in
          let difference = try StoreDifference(from: old, to: new, classNames)
          // The exit code does not depend on the reader.
          try StandardOutput.printing(endsWhenClosed: false) { output in
            isSame = try print(difference, output)
          }
        }
      }
    }
    guard isSame else { throw ExitCode(1) }
  }

  /// - Returns: Whether there is no difference.
  private func print(_ difference: StoreDifference, _ output: StandardOutput) throws -> Bool {
    var isSame = true
    for change in difference.schemaChanges() {
      isSame = false
      if !quiet { try output.line(json ? change.json : change.text) }
    }
    var format: any ReportFormat = json ? JSONReport() : TextReport(output.terminal)
    let bar = SharedProgressBar("Compare", isShown: !quiet && !output.terminal.isInteractive)
    defer { bar.clear() }
    try difference.forEachObject { report in
      isSame = false
      guard !quiet else { return }
      format.add(report, nil)
      try output.write(format.takeLines(isEnd: false).utf8)
    } _: {
      bar.update($0, $1)
    }
    try output.write(format.takeLines(isEnd: true).utf8)
    return isSame
  }
}

extension StoreDifference.SchemaChange {
  /// The change on one line.
  fileprivate var text: String {
    let name = [className, propertyName].compactMap(\.self).map(\.printable).joined(separator: ".")
    return "  \(name)  schema  \((old ?? "none").printable) → \((new ?? "none").printable)"
  }

  /// The change as a JSON object on one line.
  fileprivate var json: String {
    JSONWriter.object { json in
      json.member("class", className)
      if let propertyName { json.member("property", propertyName) }
      json.member("change", "schema")
      json.member("old", orNull: old)
      json.member("new", orNull: new)
    }
  }
}
