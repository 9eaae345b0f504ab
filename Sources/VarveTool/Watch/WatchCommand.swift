import ArgumentParser
import Foundation

/// Prints the changes that other processes commit to a store.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Prints the changes that other processes commit to a store.",
    discussion: """
      Prints one line for each object that was inserted, deleted or modified, with the old and the new \
      values, until it is interrupted or its output is closed. Commits that arrive faster than they can \
      be printed are reported together, as the exact difference between two versions. The store is \
      only read. If the output blocks for a minute, the commits in that time are skipped and reported \
      as skipped.

      \(PredicateHelp.text) An object is reported when its own properties change, and not when a linked \
      object changes. An object that begins to match is reported as “enters”, and one that stops \
      matching as “leaves”.

      Each line of JSON has the members version, since (the version of the old values), class, \
      change (inserted, deleted, modified, enters, leaves), key (id for a class without a primary key) \
      and properties: {"age": {"old": 3, "new": 4}}. Data are Base64, dates ISO 8601, links \
      {"class", "key"}, collections {"count", "deletions", "insertions", "modifications"}. The first \
      line has change “start”; a line with “gap” reports that the commits between the two versions \
      were skipped, at least in part.
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Option(
    name: .customLong("class"), parsing: .singleValue,
    help: ArgumentHelp("Watch this class only; may be repeated.", valueName: "name"))
  var classNames: [String] = []

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Report only objects that match this predicate.", valueName: "predicate"))
  var predicate: String?

  @Flag(help: "Print JSON Lines.")
  var json = false

  func run() throws {
    // The main program opens a closed descriptor for reading.
    guard fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE != O_RDONLY else {
      throw ToolError("The standard output is closed.")
    }
    let format: any ReportFormat = json ? JSONReport() : TextReport(.standard)
    let output = WatchOutput(STDOUT_FILENO, stop: try StopRequest())
    var watch = try StoreWatch(
      file, classNames: classNames, predicate: predicate, format: format, output: output)
    let result = Result { try watch.run() }
    try watch.close()
    try result.get()
  }
}
