import ArgumentParser
import Foundation
import VarveCore
import VarveEncoding
import VarveJSONLines

/// The loop of `varve shell`.
///
/// Thread safety: use it from one thread.
struct Shell {
  private static let help = """
    Dog age > 3 SORT(age)     the objects of a class, with a predicate
    query Dog --count         a command of varve without its file:
                              \(ShellLine.commands.joined(separator: ", "))
    .mode table|json|csv      the output of queries
    .timer on|off             whether the time of each command is printed
    .help                     this text
    .quit                     ends the shell, as Ctrl-D does
    """

  private let path: String
  private var mode: RowFormatName
  private var hasTimer = true
  private var words: ShellWords

  /// - Throws: ``ToolError`` for a file that does not exist, cannot be read, or is not a store.
  init(_ path: String, mode: RowFormatName) throws {
    self.path = path
    self.mode = mode
    words = try Self.words(of: path)
  }

  /// Reads lines from a terminal until its end.
  mutating func runInteractively(_ raw: RawMode) {
    signal(SIGINT, SIG_IGN)
    let endings = raw.restoringAtEnd()
    defer { for source in endings { source.cancel() } }
    let history = ShellHistory.standard
    var lines = history.read()
    Terminal.standard.show("\(path.printable): .help for help, Ctrl-D to quit\n")
    while true {
      var editor = LineEditor(
        KeyReader(Self.byte), .standard, history: lines, complete: { [words] in words.complete($0) }
      )
      let outcome = raw.run { editor.read("varve> ") }
      switch outcome {
      case .end: return
      case .interrupted: continue
      case .line(let text):
        if let new = editor.history.last, editor.history.count != lines.count {
          lines.append(new)
          history.append(new)
        }
        do {
          guard try execute(text, readsInput: true) != nil else { return }
        } catch {
          Terminal.errors.show("Error: \(error)\n")
        }
        // Another process may have added classes.
        if let newest = try? Self.words(of: path) { words = newest }
      }
    }
  }

  /// Reads lines from a terminal that has no control sequences, until its end.
  mutating func runWithoutEditing() {
    signal(SIGINT, SIG_IGN)
    while true {
      Terminal.standard.show("varve> ")
      guard let text = readLine() else { return Terminal.standard.show("\n") }
      do {
        guard try execute(text, readsInput: true) != nil else { return }
      } catch {
        Terminal.errors.show("Error: \(error)\n")
      }
    }
  }

  /// Executes the lines of the standard input.
  ///
  /// - Throws: The exit code of the first line that fails; ``ToolError`` for an invalid line.
  mutating func runScript() throws {
    hasTimer = false
    let input = FileHandle.standardInput
    var lines = LineReader { try input.read(upToCount: 1 << 16) }
    while let line = try Self.next(&lines) {
      let text = String(decoding: line, as: UTF8.self)
      let executed: ChildCommand.Outcome?
      do {
        executed = try execute(text, readsInput: false)
      } catch {
        throw ToolError("\(error)\n  line \(lines.number)")
      }
      guard let outcome = executed else { return }
      if outcome != .exited(0) { Terminal.errors.show("  line \(lines.number)\n") }
      switch outcome {
      case .exited(0): continue
      case .exited(let code): throw ExitCode(code)
      case .killed(let signal): throw ExitCode(128 + signal)
      }
    }
  }

  private static func next(_ lines: inout LineReader) throws(ToolError) -> [UInt8]? {
    do {
      return try lines.next()
    } catch {
      throw ToolError("The script could not be read", because: error)
    }
  }

  /// Executes a line.
  ///
  /// - Returns: The outcome of its command; nil to end the shell.
  private mutating func execute(
    _ text: String, readsInput: Bool
  ) throws(ToolError) -> ChildCommand.Outcome? {
    let line = try ShellLine(text, file: path, mode: mode) { words.contains($0) }
    switch line {
    case .empty: break
    case .quit: return nil
    case .help: Terminal.standard.show(Self.help + "\n")
    case .mode(let new): mode = new
    case .timer(let isOn): hasTimer = isOn
    case .command(let arguments):
      let command = readsInput ? nil : try? VarveCommand.parseAsRoot(arguments)
      if let insertion = command as? EditInsertCommand, insertion.input == "-" {
        throw ToolError("The standard input is the script; name a file to insert.")
      }
      let start = ContinuousClock.now
      let outcome = try ChildCommand.run(arguments, readsInput: readsInput)
      if case .killed(SIGINT) = outcome {
        Terminal.standard.show("\n")
      } else if hasTimer {
        Terminal.errors.show("\(Quantity.duration(ContinuousClock.now - start))\n")
      }
      return outcome
    }
    return .exited(0)
  }

  private static func byte() -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = Foundation.read(STDIN_FILENO, &byte, 1)
      if count == 1 { return byte }
      if count == 0 || errno != EINTR { return nil }
    }
  }

  private static func words(of path: String) throws -> ShellWords {
    try StoreVersion.read(path) { version in
      ShellWords(
        version.schema.classes.map { schema in
          let targets = schema.properties.map { property in
            let isLink = property.kind.type == .link
            let target = isLink ? property.targetClassID : nil
            return (property.name, target.flatMap { version.schema.schema(ofClass: $0)?.name })
          }
          return ShellWords.ClassWords(
            name: schema.name,
            targets: Dictionary(targets, uniquingKeysWith: { first, _ in first }))
        })
    }
  }
}
