package import ArgumentParser

/// The `varve` command.
package struct VarveCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "varve",
    abstract:
      "Queries, inspects, checks, rescues and watches Varve stores, and exports and imports them as text.",
    discussion:
      "The exit code is 0 for success, 1 when the command failed, and 64 for invalid arguments. “varve backup”, “varve check”, “varve diff” and “varve salvage” have more; see their help.",
    version: ToolVersion.text,
    subcommands: [
      BackupCommand.self, CheckCommand.self, CompactCommand.self, DiffCommand.self,
      EditCommand.self, ExportCommand.self, GetCommand.self, ImportCommand.self, InfoCommand.self,
      PinsCommand.self, QueryCommand.self, SalvageCommand.self, SchemaCommand.self,
      ShellCommand.self, StatsCommand.self, WatchCommand.self,
    ])

  package init() {}
}
