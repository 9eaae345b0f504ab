import VarveCore
import VarveJSONLines

/// Rows as JSON Lines: an object for each row, its members named by the columns.
///
/// Values are those of `Docs/JSON-Lines.md`.
struct JSONRows: RowFormat {
  private var titles: [String] = []
  private var objects: ObjectWriter

  init(_ version: StoreVersion, _ output: StandardOutput) {
    objects = ObjectWriter(
      version.snapshot, version.schema, writesMarks: false,
      JSONWriter { try output.write($0) })
  }

  mutating func begin(_ columns: [Column]) { titles = columns.map(\.title) }

  mutating func add(_ cells: [Cell]) throws {
    objects.json.beginObject()
    for (title, cell) in zip(titles, cells) {
      objects.json.member(title)
      try objects.write(cell)
    }
    objects.json.endObject()
    objects.json.endLine()
    try objects.json.flushBlock()
  }

  mutating func end() throws { try objects.json.flush() }
}

extension ObjectWriter {
  /// Writes a value of a row.
  mutating func write(_ cell: Cell) throws {
    switch cell {
    case .id(let id): json.raw(String(id))
    case .count(let count): json.raw(String(count))
    case .value(let value, let property): try write(value, property)
    case .blob(let stored, let property):
      try write(
        try snapshot.resolve(stored, property: property, isVerified: true), property)
    case .collection(let content, let property): try write(content, property)
    }
  }
}
