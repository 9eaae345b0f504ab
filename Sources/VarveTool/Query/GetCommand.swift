import ArgumentParser
import Foundation
import Varve
import VarveCore
import VarveEncoding
import VarveJSONLines
import VarveStorage

/// Prints one object, or a part of it.
struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Prints one object, or a part of it.",
    discussion: """
      The key is the value of the primary key, or the id of the object in the file, such as 12 or \
      '#12', if the class has no primary key. “--” precedes a key that begins with a minus sign: “varve \
      get FILE Account -- -5”.

      A path leads to a part: “owner.name”, “dogs[3].name”, “scores["key"]” or “scores.key”. A string and data are printed as \
      they are, without a line feed at their end: “varve get docs.varve Document 12 body > body.pdf”. On \
      a terminal, data are not printed. Objects and collections are printed as JSON by --json, and \
      collections always.
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Argument(help: ArgumentHelp("The class.", valueName: "class"))
  var className: String

  @Argument(help: "The primary key, or the id of the object.")
  var key: String

  @Argument(help: "The part of the object.")
  var path: String?

  @Flag(help: "Print JSON on one line.")
  var json = false

  func run() throws {
    try StoreVersion.read(file) { version in
      let schema = try version.schema.requireClass(className)
      let identity = try ObjectIdentity(
        key, of: schema, version.schema.model(of: schema), in: version.scope)
      var place = Place.object(schema, identity.id)
      if let path { place = try place.following(try ValuePath(path), in: version) }
      try StandardOutput.printing { try print(place, in: version, $0) }
    }
  }

  private func print(
    _ place: Place, in version: StoreVersion, _ output: StandardOutput
  ) throws {
    switch place {
    case .object(let schema, let id): try printObject(schema, id, version, output)
    case .value(.link(let classID, let id), _):
      guard let schema = version.schema.schema(ofClass: classID) else {
        throw ToolError("The link leads to a class that the store does not have.")
      }
      try printObject(schema, id, version, output)
    case .value(let value, let property):
      try printValue(value, property, version, output)
    case .collection(let content, let property):
      try printJSON(.collection(content, property), version, output)
    }
  }

  private func printObject(
    _ schema: ClassSchema, _ id: UInt64, _ version: StoreVersion, _ output: StandardOutput
  ) throws {
    guard let row = try version.snapshot.verifiedRow(schema, id) else {
      throw ToolError("The object does not exist.\n  \(schema.name.printable)\n  #\(id)")
    }
    let columns = ObjectColumn.all(of: schema)
    let cells = try columns.map { try $0.cell(row, id, version.snapshot) }
    if json {
      var rows = JSONRows(version, output)
      rows.begin(columns.map(\.column))
      try rows.add(cells)
      return try rows.end()
    }
    var text = CellText(version)
    var table = TextTable([.init(title: ""), .init(title: "")])
    for (column, cell) in zip(columns, cells) {
      table.append([column.column.title.printable, try text.text(of: cell)])
    }
    let width = output.terminal.isInteractive ? output.terminal.width : nil
    for line in table.lines(indent: 0, widths: table.widths(fitting: width, indent: 0)) {
      try output.line(line)
    }
  }

  private func printValue(
    _ value: Value, _ property: StoredProperty, _ version: StoreVersion, _ output: StandardOutput
  ) throws {
    if json { return try printJSON(.value(value, property), version, output) }
    switch value {
    case .string(let text):
      guard output.terminal.isInteractive else { return try output.write(text.utf8) }
      // Line feeds and tabs are harmless.
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
        try output.line(columns.map { String($0).printable }.joined(separator: "\t"))
      }
    case .data(let data):
      guard !output.terminal.isInteractive else {
        throw ToolError(
          "Data are not printed on a terminal; redirect the output to a file, or use --json.\n"
            + "  \(Quantity.bytes(data.count))")
      }
      try output.write(data)
    case .nested: try printJSON(.value(value, property), version, output)
    default: try output.line(JSONScalar.plainText(of: value))
    }
  }

  private func printJSON(
    _ cell: Cell, _ version: StoreVersion, _ output: StandardOutput
  ) throws {
    var objects = ObjectWriter(
      version.snapshot, version.schema, writesMarks: false,
      JSONWriter(isIndented: !json && output.terminal.isInteractive) { try output.write($0) })
    try objects.write(cell)
    objects.json.endLine()
    try objects.json.flush()
  }
}
