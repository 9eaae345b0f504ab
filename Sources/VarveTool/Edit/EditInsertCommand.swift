import ArgumentParser

/// Inserts objects.
struct EditInsertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert",
    abstract: "Inserts objects.",
    discussion: """
      Each line of the input is an object in JSON, as “varve query --as json” prints it. A property that \
      may be null, a collection and a generated key may be omitted; a member “#” is ignored. Links may \
      lead to objects of other lines. The whole input is read before the transaction begins.
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Argument(help: ArgumentHelp("The class.", valueName: "class"))
  var className: String

  @Argument(help: "JSON Lines, “-” for the standard input.", completion: .file())
  var input = "-"

  @OptionGroup var options: EditOptions

  func run() throws {
    // Other writers do not wait for the input.
    let text = try InputText.readAll(input)
    try StoreEdit(file, className, options).run { try $0.insert(text) }
  }
}
