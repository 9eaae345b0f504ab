package import ArgumentParser

/// The `varve` command.
package struct VarveCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "varve",
    abstract:
      "Inspects, checks and watches Varve stores, and exports and imports them as text.",
    discussion:
      "The exit code is 0 for success, 1 when the command failed or a checked store has problems, and 64 for invalid arguments.",
    version: ToolVersion.text,
    subcommands: [
      CheckCommand.self, ExportCommand.self, ImportCommand.self, InfoCommand.self,
      WatchCommand.self,
    ])

  package init() {}
}
