package import ArgumentParser

/// The `varve` command.
package struct VarveCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "varve",
    abstract:
      "Inspects, checks, rescues and watches Varve stores, and exports and imports them as text.",
    discussion:
      "The exit code is 0 for success, 1 when the command failed, and 64 for invalid arguments. “varve check” and “varve salvage” have more; see their help.",
    version: ToolVersion.text,
    subcommands: [
      CheckCommand.self, ExportCommand.self, ImportCommand.self, InfoCommand.self,
      SalvageCommand.self, WatchCommand.self,
    ])

  package init() {}
}
