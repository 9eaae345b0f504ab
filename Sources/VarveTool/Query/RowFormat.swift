import ArgumentParser

/// An output format of rows.
protocol RowFormat {
  /// Writes the beginning of the output.
  mutating func begin(_ columns: [Column]) throws

  /// Writes a row, or keeps it back to align it.
  ///
  /// - Throws: ``ToolError`` when the output cannot be written; a `Failure` with `.corrupted`.
  mutating func add(_ cells: [Cell]) throws

  /// Writes the rows that were kept back.
  mutating func end() throws
}

/// The name of an output format.
enum RowFormatName: String, ExpressibleByArgument, CaseIterable {
  case table
  case json
  case csv

  /// - Parameter width: The width of a table; nil for that of the terminal.
  func format(
    _ version: StoreVersion, _ output: StandardOutput, width: Int? = nil
  ) -> any RowFormat {
    switch self {
    case .table: TableRows(version, output, width: width)
    case .json: JSONRows(version, output)
    case .csv: CSVRows(version, output)
    }
  }
}
