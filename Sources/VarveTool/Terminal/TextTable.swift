/// Rows of text aligned in columns.
struct TextTable: Sendable {
  enum Alignment: Sendable {
    case left
    case right
  }

  struct Column: Sendable {
    var title: String
    var alignment: Alignment = .left
  }

  private(set) var columns: [Column]
  private(set) var rows: [[String]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row; missing cells stay empty, and cells past the last column are dropped.
  mutating func append(_ cells: [String]) {
    let missing = max(0, columns.count - cells.count)
    rows.append(Array(cells.prefix(columns.count)) + Array(repeating: "", count: missing))
  }

  /// Formats the table.
  ///
  /// - Parameter indent: The number of spaces before each line.
  /// - Returns: The lines, with the titles first unless all of them are empty.
  func lines(indent: Int = 2) -> [String] {
    let widths = columns.indices.map { index in
      rows.reduce(columns[index].title.count) { max($0, $1[index].count) }
    }
    let titles = columns.map(\.title)
    let all = titles.allSatisfy(\.isEmpty) ? rows : [titles] + rows
    return all.map { cells in
      let padded = cells.indices.map { pad(cells[$0], to: widths[$0], columns[$0].alignment) }
      let line = String(repeating: " ", count: indent) + padded.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  private func pad(_ text: String, to width: Int, _ alignment: Alignment) -> String {
    let space = String(repeating: " ", count: width - text.count)
    return alignment == .left ? text + space : space + text
  }
}
