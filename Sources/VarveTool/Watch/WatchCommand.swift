import ArgumentParser
import Foundation

/// Prints what other processes change in a store, as they do it.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Prints what other processes change in a store, as they do it.",
    discussion: """
      One line for each object that was inserted, deleted or modified, with the old and the new \
      values, until it is interrupted or nobody reads its output. Commits that come faster than they \
      can be told share a change set, which is exact. The store is only read. An output that takes \
      nothing for a minute makes it skip what is committed meanwhile, and say so.

      A predicate compares properties of the object: “age >= 18 AND name BEGINSWITH[c] 'a'”, also \
      over links and collections: “ANY dogs.age > 3”, “dogs.@count = 0”. Operators: = != < <= > >= \
      BETWEEN IN BEGINSWITH ENDSWITH CONTAINS LIKE MATCHES TEXT, joined by AND, OR, NOT and parentheses; \
      [c] ignores case, [d] diacritics. Values: 1, 1.5, 'text', TRUE, FALSE, NULL, after IN {1, 2}; \
      dates ('2024-01-31', '2024-01-31T12:00:00Z'), UUIDs and object ids as text, of enumerations the \
      raw values. An object is told of when it changes itself, and not when what it links to does. Of \
      an object that begins to match it is told that it \
      “enters”, and of one that stops that it “leaves”.

      Each line of JSON has the members version, since (the version that old values are from), class, \
      change (inserted, deleted, modified, enters, leaves), key (id for a class without a primary key) \
      and properties: {"age": {"old": 3, "new": 4}}. Data are Base64, dates ISO 8601, links \
      {"class", "key"}, collections {"count", "deletions", "insertions", "modifications"}. The first \
      line has change “start”; one with “gap” tells that what lies between the two versions is not \
      told, or not all of it.
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Option(
    name: .customLong("class"), parsing: .singleValue,
    help: ArgumentHelp("Watch this class only; may be given several times.", valueName: "name"))
  var classNames: [String] = []

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Tell only of objects that satisfy this.", valueName: "predicate"))
  var predicate: String?

  @Flag(help: "Print JSON Lines.")
  var json = false

  func run() throws {
    // Its number would be given to a file of the store.
    guard fcntl(STDOUT_FILENO, F_GETFD) >= 0 else {
      throw ToolError("There is no output to write to.")
    }
    // A reader that has gone is no reason to die.
    signal(SIGPIPE, SIG_IGN)
    let format: any ReportFormat = json ? JSONReport() : TextReport(.standard)
    let output = WatchOutput(STDOUT_FILENO, stop: try StopRequest())
    var watch = try StoreWatch(
      file, classNames: classNames, predicate: predicate, format: format, output: output)
    let result = Result { try watch.run() }
    try watch.close()
    try result.get()
  }
}
