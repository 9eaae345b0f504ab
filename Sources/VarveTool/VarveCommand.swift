package import ArgumentParser
import VarveCore

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

  /// Runs the command of an argument list, and ends the process if it fails.
  package static func run(_ arguments: [String]) {
    do {
      try checkCommand(arguments)
    } catch {
      exit(withError: error)
    }
    main(arguments)
  }

  /// The parser would report the name of an unknown command, and each argument after it, as
  /// unexpected arguments.
  ///
  /// - Throws: `ValidationError` that names the unknown command.
  static func checkCommand(_ arguments: [String]) throws {
    // `help` takes the name of a command.
    let names = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    var command: any ParsableCommand.Type = self
    for name in names {
      let commands = command.configuration.subcommands
      guard !commands.isEmpty, !name.hasPrefix("-"), name != "help" else { return }
      guard let next = commands.first(where: { $0.configuration.commandName == name }) else {
        throw ValidationError("Unknown command '\(name.printable)'.")
      }
      command = next
    }
  }
}
