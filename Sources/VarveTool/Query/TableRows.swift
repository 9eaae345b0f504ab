import VarveCore

/// Rows as a table for people, with a line of titles.
///
/// Texts are cut to the given width or that of the terminal, and to a few hundred characters
/// elsewhere. Collections are shown as their numbers of elements.
struct TableRows: RowFormat {
  /// The number of rows that are read before the widths of the columns are chosen.
  private static let blockSize = 500

  private let output: StandardOutput
  /// The width of the table; nil if it is not limited.
  private let width: Int?
  private var text: CellText
  private var table = TextTable([])
  /// The layout, which the first rows decide.
  private var layout: Layout?

  private enum Layout {
    /// A table with columns of these widths.
    case table([Int])
    /// The values of each row below each other, because the columns do not fit the terminal.
    case list(rowCount: Int)
  }

  /// - Parameter width: The width of the table; nil for that of the terminal.
  init(_ version: StoreVersion, _ output: StandardOutput, width: Int? = nil) {
    self.output = output
    self.width = width ?? (output.terminal.isInteractive ? output.terminal.width : nil)
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
    if !table.rows.isEmpty || layout == nil { try endBlock() }
  }

  private mutating func endBlock() throws {
    switch layout {
    case nil where table.leastWidth(indent: 0) > width ?? .max: try listRows(after: 0)
    case nil: try writeTable(table.widths(fitting: width, indent: 0), hasTitles: true)
    case .list(let rowCount): try listRows(after: rowCount)
    case .table(let widths) where width != nil: try writeTable(widths)
    case .table(let widths):
      try writeTable(zip(widths, table.widths(indent: 0)).map { max($0, $1) })
    }
    table.removeRows()
  }

  private mutating func writeTable(_ widths: [Int], hasTitles: Bool = false) throws {
    layout = .table(widths)
    let lines = table.lines(indent: 0, widths: widths, hasTitles: hasTitles)
    for (index, line) in lines.enumerated() {
      try output.line(hasTitles && index == 0 ? output.terminal.bold(line) : line)
    }
  }

  private mutating func listRows(after count: Int) throws {
    layout = .list(rowCount: count + table.rows.count)
    for (index, cells) in table.rows.enumerated() {
      var list = TextTable([.init(title: ""), .init(title: "")])
      for (column, cell) in zip(table.columns, cells) { list.append([column.title, cell]) }
      try output.line(output.terminal.bold("[\(Quantity.count(count + index + 1))]"))
      for line in list.lines(widths: list.widths(fitting: width)) { try output.line(line) }
    }
  }
}
