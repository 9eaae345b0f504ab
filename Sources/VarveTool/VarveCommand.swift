package import ArgumentParser

/// The program `varve`.
package struct VarveCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "varve",
    abstract:
      "Looks into Varve stores, checks and watches them, and writes and reads them as text.",
    discussion:
      "The exit code is 0 for success, 1 when the work failed or a checked store has problems, and 64 for wrong arguments.",
    version: ToolVersion.text,
    subcommands: [
      CheckCommand.self, ExportCommand.self, ImportCommand.self, InfoCommand.self,
      WatchCommand.self,
    ])

  package init() {}
}
