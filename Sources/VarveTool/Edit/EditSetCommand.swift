import ArgumentParser
import VarveCore
import VarveEncoding

/// Sets properties of objects.
struct EditSetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Sets properties of objects.",
    discussion: """
      “name=Rex” is a value as text, without quotes: a number, a date, data in Base64, true or false. Links, \
      mixed values and collections are set in JSON. “name:=null” is a value in JSON, as “varve query --as \
      json” prints it: a link is {"class": "Dog", "key": "Rex"}, a list [1, 2], a map {"a": 1}, a mixed value {"int": 5}. A collection or an \
      embedded object is set as a whole. A date of “name=” is 2024-01-31, a time \
      2024-01-31T12:00:00Z.
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
    try StoreEdit(file, className, options).run { edit in
      let assignments = try assignments.map { try Assignment($0, of: edit.schema) }
      var names: Set<String> = []
      for name in assignments.map(\.property.name) where !names.insert(name).inserted {
        throw ToolError(
          "A property is set twice.\n  \(edit.schema.name.printable).\(name.printable)")
      }
      return try edit.set(assignments, try edit.ids(of: objects))
    }
  }
}
