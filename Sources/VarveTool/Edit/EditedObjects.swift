import ArgumentParser

/// The objects that a command changes.
struct EditedObjects: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The object with this key, or with this id in the file; may be repeated."))
  var key: [String] = []

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "The objects that match this predicate; see “varve help query”.", valueName: "predicate"))
  var predicate: String?

  @Flag(help: "All objects of the class.")
  var all = false

  func validate() throws {
    guard [!key.isEmpty, predicate != nil, all].count(where: \.self) == 1 else {
      throw ValidationError("Exactly one of --key, --where and --all is needed.")
    }
  }
}
