import ArgumentParser
import Foundation
import VarveJSONLines

/// An interactive prompt for the commands of one store.
struct ShellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shell",
    abstract: "Opens a prompt for the commands of one store.",
    discussion: """
      A line is a class with a predicate, “Dog age > 3 SORT(age DESC)”, or a command without its file: \
      “query Dog --count”. After a class, the rest of the line is the predicate; words of commands with \
      spaces are in quotes. Tab completes classes, properties and keywords; Ctrl-C stops a command, and Ctrl-D ends the shell.

      Without a terminal, the lines of the standard input are executed, up to the first one that fails; \
      the exit code is that of this line. “.help” lists the commands. A line that begins with # is a comment. The history is kept in \
      $XDG_STATE_HOME/varve/history, by default in ~/.local/state.
      """)

  @Argument(help: "The store.", completion: .file(extensions: ["varve"]))
  var file: String

  @Option(
    name: [.customLong("as"), .customLong("format")],
    help: ArgumentHelp("The output of queries.", valueName: "format"))
  var format: RowFormatName = .table

  func run() throws {
    var shell = try Shell(URL(fileURLWithPath: file).path, mode: format)
    let isInteractive = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    guard isInteractive else { return try shell.runScript() }
    let isDumb = ProcessInfo.processInfo.environment["TERM"] == "dumb"
    if !isDumb, let raw = RawMode(STDIN_FILENO) {
      shell.runInteractively(raw)
    } else {
      shell.runWithoutEditing()
    }
  }
}
