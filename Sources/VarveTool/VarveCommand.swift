package import ArgumentParser

/// The program `varve`.
package struct VarveCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "varve",
    abstract: "Looks into Varve stores, watches them, and writes and reads them as text.",
    version: ToolVersion.text,
    subcommands: [ExportCommand.self, ImportCommand.self, InfoCommand.self, WatchCommand.self])

  package init() {}
}
