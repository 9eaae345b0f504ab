import ArgumentParser

/// Changes objects of a store.
struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Changes objects of a store.",
    discussion: """
      Without --write, the command makes the change in a transaction, prints it, and rolls it back. The \
      change is one transaction: all of it is written, or nothing. Other processes may have the store \
      open, and are notified; other writers wait until the change is made, also without --write. Objects \
      that change with the chosen ones, such as those that lose a link, are not listed.
      """,
    subcommands: [EditDeleteCommand.self, EditInsertCommand.self, EditSetCommand.self])
}
