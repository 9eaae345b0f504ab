import VarveEncoding
import VarveJSONLines

/// Rows as comma-separated values (RFC 4180, with line feeds), after a line of titles.
///
/// Strings are in quotes where they have to be. Null is an empty field, and an empty string is `""`.
/// Other values are those of `Docs/JSON-Lines.md`, without the quotes of JSON.
struct CSVRows: RowFormat {
  private let output: StandardOutput
  private var values: ValueText

  init(_ version: StoreVersion, _ output: StandardOutput) {
    self.output = output
    values = ValueText(version)
  }

  mutating func begin(_ columns: [Column]) throws {
    try write(columns.map { Self.field($0.title) })
  }

  mutating func add(_ cells: [Cell]) throws {
    var fields: [String] = []
    fields.reserveCapacity(cells.count)
    for cell in cells {
      if case .value(.null, _) = cell {
        fields.append("")
      } else {
        fields.append(Self.field(try values.text(of: cell)))
      }
    }
    try write(fields)
  }

  func end() {}

  private func write(_ fields: [String]) throws {
    try output.write((fields.joined(separator: ",") + "\n").utf8)
  }

  private static func field(_ text: String) -> String {
    let needsQuotes = text.utf8.contains {
      $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D
    }
    guard needsQuotes || text.isEmpty else { return text }
    // A quote before a combining mark is no character.
    var bytes = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
  }
}
