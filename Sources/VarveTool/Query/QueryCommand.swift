import ArgumentParser
import Foundation

/// Prints the objects of a class that match a predicate.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Prints the objects of a class that match a predicate.",
    discussion: """
      The store is only read, and other processes may write meanwhile: the output is of one version. \
      Columns, and the options that take properties, accept paths over links: “owner.name”. “#” is \
      the id of an object in the file, which identifies the objects of a class without a primary key.

      \(PredicateHelp.text) It may end in SORT(age DESC), DISTINCT(name) and LIMIT(10), which may also \
      stand alone.

      --count, --sum, --average, --min and --max print one row for all objects, or one for each \
      combination of values with --group-by; the rows of groups are sorted by their values (links by the \
      ids of their objects), or by the title of a column: --sort 'count DESC', --sort 'sum(age) DESC'. NaN \
      is part of a sum. Options that take properties may be repeated.

      Output: a table, in which long texts are cut and control characters escaped, and whose columns are \
      narrowed to the width of a terminal, or listed below each other if there are too many; JSON Lines, \
      an object a line, with whole values as in “varve export”; or CSV with a line of titles, where null is an empty \
      field and an empty string is "".
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Argument(help: ArgumentHelp("The class.", valueName: "class"))
  var className: String

  @Argument(help: "The condition on the objects; all objects without it.")
  var predicate: String?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("The columns, separated by commas.", valueName: "columns"))
  var columns: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Sort by properties: 'age DESC, name'.", valueName: "properties"))
  var sort: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Keep the first object of each combination of values, in the order of the store.",
      valueName: "properties"))
  var distinct: [String] = []

  @Option(help: ArgumentHelp("Print at most this many rows.", valueName: "count"))
  var limit: Int?

  @Option(help: ArgumentHelp("Skip this many rows.", valueName: "count"))
  var offset: Int?

  @Flag(help: "Print the number of objects.")
  var count = false

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Print the sums of properties.", valueName: "properties"))
  var sum: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Print the averages of properties.", valueName: "properties"))
  var average: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Print the least values of properties.", valueName: "properties"))
  var min: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Print the greatest values of properties.", valueName: "properties"))
  var max: [String] = []

  @Option(
    name: .customLong("group-by"), parsing: .singleValue,
    help: ArgumentHelp("Print a row for each combination of values.", valueName: "properties"))
  var groupBy: [String] = []

  @Option(
    name: [.customLong("as"), .customLong("format")],
    help: ArgumentHelp("The output.", valueName: "format"))
  var format: RowFormatName = .table

  @Option(
    help: ArgumentHelp(
      "The width of a table, as in a pipe; by default, that of the terminal.",
      valueName: "characters"))
  var width: Int?

  @Flag(help: "Print JSON Lines, as --as json does.")
  var json = false

  @Flag(help: "Print how the objects would be found, and do not find them.")
  var explain = false

  func validate() throws {
    if let width, width < 1 { throw ValidationError("--width must be positive.") }
    for (name, number) in [("--limit", limit), ("--offset", offset)] {
      if let number, number < 0 { throw ValidationError("\(name) must not be negative.") }
    }
    let lists = [columns, sort, distinct, sum, average, min, max, groupBy]
    guard !lists.joined().contains(where: { $0.names.contains("") }) else {
      throw ValidationError("A name of a property is empty.")
    }
    if width != nil, json || format != .table || explain {
      throw ValidationError("--width is the width of a table.")
    }
    if json, format == .csv { throw ValidationError("--json and --as csv exclude each other.") }
    guard Set(columns.names).count == columns.names.count else {
      throw ValidationError("A column is named twice.")
    }
    guard summary.isPresent else { return }
    if !columns.isEmpty {
      throw ValidationError("--columns has no effect on sums and groups.")
    }
    if !summary.isGrouped, limit != nil || offset != nil || !sort.isEmpty {
      throw ValidationError("--sort, --limit and --offset have no effect on a single row.")
    }
  }

  func run() throws {
    try StoreVersion.read(file) { version in
      let schema = try version.schema.requireClass(className)
      let listing = try ObjectListing(self, of: schema, in: version)
      try StandardOutput.printing { output in
        if explain { return try listing.printPlan(output, json: json || format == .json) }
        let chosen = json ? RowFormatName.json : format
        if summary.isPresent {
          try listing.printSummary(summary, chosen, output, width: width)
        } else {
          try listing.printObjects(chosen, output, width: width)
        }
      }
    }
  }

  /// The requested sums and groups.
  var summary: SummaryOptions {
    SummaryOptions(
      count: count,
      aggregates: aggregates(.sum, sum) + aggregates(.average, average) + aggregates(.min, min)
        + aggregates(.max, max),
      groupBy: groupBy.names)
  }

  private func aggregates(
    _ function: SummaryOptions.Function, _ lists: [String]
  ) -> [SummaryOptions.Aggregate] {
    lists.names.map { SummaryOptions.Aggregate(function: function, name: $0) }
  }
}

extension [String] {
  /// The elements of lists that are separated by commas.
  var names: [String] {
    flatMap(\.names)
  }
}

extension String {
  /// The elements of a list that is separated by commas.
  var names: [String] {
    split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }
}
