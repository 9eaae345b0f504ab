import ArgumentParser
import Foundation
import VarveJSONLines

/// Changes objects of a store.
struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Changes objects of a store.",
    discussion: """
      Without --write, the command makes the change in a transaction, prints it, and rolls it back. The \
      change is one transaction: all of it is written, or nothing. Other processes may have the store \
      open, and are notified.
      """,
    subcommands: [EditDeleteCommand.self, EditInsertCommand.self, EditSetCommand.self])
}

/// The objects that a command changes.
struct EditedObjects: ParsableArguments {
  @Option(help: ArgumentHelp("The object with this key, or with this id in the file."))
  var key: [String] = []

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("The objects that match this predicate.", valueName: "predicate"))
  var predicate: String?

  @Flag(help: "All objects of the class.")
  var all = false

  func validate() throws {
    guard [!key.isEmpty, predicate != nil, all].count(where: \.self) == 1 else {
      throw ValidationError("One of --key, --where and --all is needed.")
    }
  }
}

/// The options of all edits.
struct EditOptions: ParsableArguments {
  @Flag(help: "Write the change.")
  var write = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors and the result.")
  var quiet = false
}

/// Deletes objects.
struct EditDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Deletes objects.",
    discussion: """
      Links to them become null, lists and sets lose them, and their embedded objects are deleted.
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Argument(help: ArgumentHelp("The class.", valueName: "class"))
  var className: String

  @OptionGroup var objects: EditedObjects
  @OptionGroup var options: EditOptions

  func run() throws {
    try StoreEdit(file, className, options).run { edit, output in
      try edit.delete(try edit.ids(of: objects), output)
    }
  }
}

/// Sets properties of objects.
struct EditSetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Sets properties of objects.",
    discussion: """
      “name=Rex” is a value as text, without quotes: a number, a date in ISO 8601, data in Base64, true or \
      false. “name:=null” is a value in JSON, as “varve query --as json” prints it: a link is {"class": \
      "Dog", "key": "Rex"}, a list [1, 2], a map {"a": 1}.
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Argument(help: ArgumentHelp("The class.", valueName: "class"))
  var className: String

  @Argument(help: ArgumentHelp("The new values: name=text or name:=JSON.", valueName: "name=value"))
  var assignments: [String]

  @OptionGroup var objects: EditedObjects
  @OptionGroup var options: EditOptions

  func run() throws {
    try StoreEdit(file, className, options).run { edit, output in
      let assignments = try assignments.map { try Assignment($0, of: edit.schema) }
      return try edit.set(assignments, try edit.ids(of: objects), output)
    }
  }
}

/// Inserts objects.
struct EditInsertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert",
    abstract: "Inserts objects.",
    discussion: """
      Each line of the input is an object in JSON, as “varve query --as json” prints it. A property that \
      may be null, a collection and a generated key may be omitted; a member “#” is ignored.
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Argument(help: ArgumentHelp("The class.", valueName: "class"))
  var className: String

  @Argument(help: "JSON Lines, “-” for the standard input.", completion: .file())
  var input = "-"

  @OptionGroup var options: EditOptions

  func run() throws {
    let source = try InputText.open(input)
    try StoreEdit(file, className, options).run { edit, output in
      try edit.insert(LineReader { try source.read(upToCount: 1 << 16) }, output)
    }
  }
}
