import VarveCore

/// Rows as a table for people, with a line of titles.
///
/// Texts are cut to the width of a terminal, and to a few hundred characters elsewhere. Collections
/// are shown as their numbers of elements.
struct TableRows: RowFormat {
  /// The number of rows that are read before the widths of the columns are chosen.
  private static let blockSize = 500

  private let output: StandardOutput
  private var text: CellText
  private var table = TextTable([])
  /// The number of rows that were written below each other.
  private var listedCount = 0
  /// The widths of the columns, once they are chosen.
  private var widths: [Int]?

  init(_ version: StoreVersion, _ output: StandardOutput) {
    self.output = output
    text = CellText(version)
  }

  mutating func begin(_ columns: [Column]) {
    table = TextTable(
      columns.map {
        TextTable.Column(title: $0.title.printable, alignment: $0.isNumeric ? .right : .left)
      })
  }

  mutating func add(_ cells: [Cell]) throws {
    var texts: [String] = []
    for cell in cells { texts.append(try text.text(of: cell)) }
    table.append(texts)
    if table.rows.count >= Self.blockSize { try endBlock() }
  }

  mutating func end() throws {
    if !table.rows.isEmpty || widths == nil { try endBlock() }
  }

  private mutating func endBlock() throws {
    let isFirst = widths == nil
    let width = output.terminal.isInteractive ? output.terminal.width : nil
    if let width, table.leastWidth(indent: 0) > width { return try listRows(width) }
    var widths = self.widths ?? table.widths(fitting: width, indent: 0)
    if width == nil {
      widths = zip(widths, table.widths(indent: 0)).map { max($0, $1) }
    }
    self.widths = widths
    let lines = table.lines(indent: 0, widths: widths, hasTitles: isFirst)
    for (index, line) in lines.enumerated() {
      try output.line(isFirst && index == 0 ? output.terminal.bold(line) : line)
    }
    table.removeRows()
  }

  /// Writes each row as a list of its values, because its columns do not fit the terminal.
  private mutating func listRows(_ width: Int) throws {
    widths = []
    for cells in table.rows {
      listedCount += 1
      var list = TextTable([.init(title: ""), .init(title: "")])
      for (column, cell) in zip(table.columns, cells) { list.append([column.title, cell]) }
      try output.line(output.terminal.bold("[\(Quantity.count(listedCount))]"))
      for line in list.lines(widths: list.widths(fitting: width)) { try output.line(line) }
    }
    table.removeRows()
  }
}
