/// Rows of text in columns.
struct TextTable: Sendable {
  enum Column: Sendable {
    case left
    case right
  }

  /// The alignment of each column.
  var columns: [Column]

  /// The column titles; empty for a table without a title line.
  var titles: [String] = []

  /// The rows, each with a cell for every column.
  var rows: [[String]] = []

  /// The lines, in columns as wide as their widest cell.
  func lines() -> [String] {
    let all = titles.isEmpty ? rows : [titles] + rows
    let widths = columns.indices.map { index in all.map { $0[index].count }.max() ?? 0 }
    return all.map { cells in
      let padded = columns.indices.map { index in
        let space = String(repeating: " ", count: widths[index] - cells[index].count)
        return columns[index] == .left ? cells[index] + space : space + cells[index]
      }
      let line = "  " + padded.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
