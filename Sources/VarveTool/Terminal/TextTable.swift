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

  /// Removes all rows.
  mutating func removeRows() { rows.removeAll(keepingCapacity: true) }

  /// Formats the table.
  ///
  /// - Parameters:
  ///   - indent: The number of spaces before each line.
  ///   - widths: The widths of the columns, to which longer cells are cut; nil for those of the
  ///     longest cells.
  ///   - hasTitles: Whether the titles are the first line. They are omitted if all of them are empty.
  /// - Returns: The lines.
  func lines(indent: Int = 2, widths: [Int]? = nil, hasTitles: Bool = true) -> [String] {
    let widths = widths ?? self.widths()
    let titles = columns.map(\.title)
    let all = !hasTitles || titles.allSatisfy(\.isEmpty) ? rows : [titles] + rows
    return all.map { cells in
      let padded = cells.indices.map {
        pad(Self.cut(cells[$0], to: widths[$0]), to: widths[$0], columns[$0].alignment)
      }
      let line = String(repeating: " ", count: indent) + padded.joined(separator: "  ")
      let end = line.utf8.lastIndex { $0 != UInt8(ascii: " ") }
      return end.map { String(line[...$0]) } ?? ""
    }
  }

  /// Returns the widths of the longest cells.
  ///
  /// - Parameters:
  ///   - width: The width of the screen: if the cells do not fit, the widest columns are narrowed.
  ///   - indent: The number of spaces before each line.
  func widths(fitting width: Int? = nil, indent: Int = 2) -> [Int] {
    var widths = columns.indices.map { index in
      rows.reduce(columns[index].title.width) { max($0, $1[index].width) }
    }
    guard let width else { return widths }
    var excess = indent + widths.reduce(0, +) + 2 * (widths.count - 1) - width
    while excess > 0, let widest = widths.max(), widest > Self.leastWidth {
      // All columns of the greatest width are narrowed to the next one, or until they fit.
      let wide = widths.indices.filter { widths[$0] == widest }
      let next = max(widths.filter { $0 < widest }.max() ?? 0, Self.leastWidth)
      let step = min(widest - next, (excess + wide.count - 1) / wide.count)
      for index in wide { widths[index] -= step }
      excess -= step * wide.count
    }
    return widths
  }

  /// The width of the table when all columns are narrowed as far as possible.
  func leastWidth(indent: Int = 2) -> Int {
    let widths = widths(indent: indent).map { min($0, Self.leastWidth) }
    return indent + widths.reduce(0, +) + 2 * max(0, widths.count - 1)
  }

  /// The width to which columns are narrowed at most.
  private static let leastWidth = 5

  private static func cut(_ text: String, to width: Int) -> String {
    text.width > width ? text.prefix(ofWidth: max(0, width - 1)) + "…" : text
  }

  private func pad(_ text: String, to width: Int, _ alignment: Alignment) -> String {
    let space = String(repeating: " ", count: max(0, width - text.width))
    return alignment == .left ? text + space : space + text
  }
}
