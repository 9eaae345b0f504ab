package import ArgumentParser

/// The program `varve`.
package struct VarveCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "varve",
    abstract: "Looks into Varve stores, and shows what they can do.",
    version: ToolVersion.text,
    subcommands: [
      DemoCommand.self, DemoUpdateCommand.self, ExportCommand.self, ImportCommand.self,
      InfoCommand.self, WatchCommand.self,
    ])

  package init() {}
}
