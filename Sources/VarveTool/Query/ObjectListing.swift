import Varve
import VarveCore
import VarveEncoding
import VarveJSONLines
import VarveStorage

/// The objects that `varve query` prints.
struct ObjectListing {
  private let version: StoreVersion
  private let schema: ClassSchema
  private let columns: [ObjectColumn]
  /// The sort keys of a summary, which sort its rows.
  private let sortKeys: [SortKeyText]
  private let window: ElementQuery.LimitClause
  private let query: ElementQuery

  /// Binds the arguments of a command to a class.
  ///
  /// - Throws: ``ToolError`` for an invalid predicate and an unknown property; a `Failure` for a
  ///   property that does not support an option.
  init(_ command: QueryCommand, of schema: ClassSchema, in version: StoreVersion) throws {
    self.version = version
    self.schema = schema
    let model = version.schema.model(of: schema)
    columns =
      try command.columns.isEmpty
      ? ObjectColumn.all(of: schema)
      : command.columns.names.map { try ObjectColumn(named: $0, of: schema, in: version) }
    sortKeys = try command.sort.names.map { try SortKeyText($0) }
    window = ElementQuery.LimitClause(offset: command.offset ?? 0, limit: command.limit)

    var query = ElementQuery(.object(model))
    if let text = command.predicate, !text.allSatisfy(\.isWhitespace) {
      query = try query.refined(byText: text)
    }
    query = try query.distinct(by: command.distinct.names.map { try schema.path($0) })
    if !command.summary.isPresent {
      if !sortKeys.isEmpty {
        query = try query.sorted(
          by: sortKeys.map {
            ElementQuery.SortKey(path: try schema.path($0.name), isAscending: $0.isAscending)
          })
      }
      if command.limit != nil || command.offset != nil { query = query.limited(by: window) }
    }
    self.query = query
  }

  /// Prints the steps of the query's plan.
  func printPlan(_ output: StandardOutput, json: Bool) throws {
    let steps = query.objectSteps(in: version.scope).map(\.description)
    guard json else {
      for step in steps { try output.line(step.printable) }
      return
    }
    try output.line(JSONWriter.object { $0.array("plan", steps) })
  }

  /// Prints a row for each object.
  ///
  /// - Parameter width: The width of a table; nil for that of the terminal.
  func printObjects(_ format: RowFormatName, _ output: StandardOutput, width: Int?) throws {
    var rows = format.format(version, output, width: width)
    try rows.begin(columns.map(\.column))
    try forEachObject { id, row in
      var cells: [Cell] = []
      cells.reserveCapacity(columns.count)
      for column in columns { cells.append(try column.cell(row, id, version.snapshot)) }
      try rows.add(cells)
    }
    try rows.end()
  }

  /// Prints the sums of all objects, or those of each group.
  ///
  /// - Parameter width: The width of a table; nil for that of the terminal.
  func printSummary(
    _ options: SummaryOptions, _ format: RowFormatName, _ output: StandardOutput, width: Int?
  ) throws {
    var summary = try ObjectSummary(options, of: schema, in: version)
    if summary.isPlainCount {
      summary.add(count: try query.count(in: version.scope))
      try version.requireUndamaged()
    } else {
      try forEachObject { id, row in try summary.add(row, id) }
    }
    let all = try summary.rows(sortedBy: sortKeys)
    if format == .table, !options.isGrouped, summary.columns.count == 1, let cell = all.first?.first
    {
      var text = ValueText(version)
      return try output.line(try text.text(of: cell).printable)
    }
    var rows = format.format(version, output, width: width)
    try rows.begin(summary.columns)
    for row in all.dropFirst(window.offset).prefix(window.limit ?? .max) { try rows.add(row) }
    try rows.end()
  }

  private func forEachObject(_ body: (UInt64, RowReader) throws -> Void) throws {
    let ids = try query.objectIDs(in: version.scope)
    try version.requireUndamaged()
    if query.isWholeTable {
      try RowSequence.check(ids, of: schema, count: version.snapshot.count(schema.table))
    }
    for id in ids { try body(id, try version.snapshot.requireRow(schema, id)) }
    try version.requireUndamaged()
  }
}

extension ClassSchema {
  /// Returns the names of a path.
  ///
  /// - Throws: ``ToolError`` if the class lacks its first property.
  func path(_ text: String) throws(ToolError) -> [String] {
    let names = DottedPath.names(text)
    _ = try requireProperty(names.first ?? "")
    return names
  }
}
