import ArgumentParser

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
    try StoreEdit(file, className, options).run { edit in
      try edit.delete(try edit.ids(of: objects))
    }
  }
}
