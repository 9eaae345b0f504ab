import Foundation
import VarveCore

/// A line of the shell.
enum ShellLine: Equatable {
  case empty
  case help
  case quit
  case mode(RowFormatName)
  case timer(Bool)
  /// The arguments of a command of the program.
  case command([String])

  /// The commands of the program that the shell accepts, without their file.
  static let commands = [
    "backup", "check", "diff", "edit", "export", "get", "info", "pins", "query", "schema", "stats",
    "watch",
  ]
  /// The words of other shells.
  private static let words: [String: ShellLine] = ["help": .help, "quit": .quit, "exit": .quit]
  static let dotCommands = [".help", ".mode", ".quit", ".timer"]

  /// - Parameters:
  ///   - text: The line.
  ///   - file: The store.
  ///   - mode: The output of queries.
  ///   - isClass: Returns whether the store has a class with a name.
  /// - Throws: ``ToolError`` for a line that is neither a command nor a class with a predicate.
  init(
    _ text: String, file: String, mode: RowFormatName, isClass: (String) -> Bool
  ) throws(ToolError) {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    let first = String(trimmed.prefix { !$0.isWhitespace })
    let rest = trimmed.dropFirst(first.count).trimmingCharacters(in: .whitespaces)
    if first.isEmpty || first.hasPrefix("#") {
      self = .empty
    } else if first.hasPrefix(".") {
      self = try Self.dotCommand(first, rest)
    } else if rest.isEmpty, !isClass(first), let dotted = Self.words[first] {
      self = dotted
    } else if Self.commands.contains(first) {
      self = .command(try Self.arguments(first, rest, file: file, mode: mode))
    } else if isClass(first) {
      self = .command(
        ["query", "--as", mode.rawValue, "--", file, first] + (rest.isEmpty ? [] : [rest]))
    } else {
      throw ToolError(
        "There is neither a class nor a command of this name; see .help.\n  \(first.printable)")
    }
  }

  private static func dotCommand(_ name: String, _ rest: String) throws(ToolError) -> ShellLine {
    switch (name, rest) {
    case (".help", ""): return .help
    case (".quit", ""), (".exit", ""): return .quit
    case (".timer", "on"): return .timer(true)
    case (".timer", "off"): return .timer(false)
    case (".mode", _):
      guard let mode = RowFormatName(rawValue: rest) else {
        throw ToolError("The mode is table, json or csv.\n  \(rest.printable)")
      }
      return .mode(mode)
    default:
      throw ToolError("There is no such command; see .help.\n  \("\(name) \(rest)".printable)")
    }
  }

  private static func arguments(
    _ name: String, _ rest: String, file: String, mode: RowFormatName
  ) throws(ToolError) -> [String] {
    var words = try split(rest)
    var arguments = [name]
    // The file follows the subcommand.
    if name == "edit", let subcommand = words.first, !subcommand.hasPrefix("-") {
      arguments.append(subcommand)
      words.removeFirst()
    }
    arguments.append(file)
    let hasFormat = words.contains { word in
      word == "--json"
        || ["--as", "--format"].contains { word == $0 || word.hasPrefix($0 + "=") }
    }
    if name == "query", !hasFormat { arguments += ["--as", mode.rawValue] }
    return arguments + words
  }

  /// Splits a text into words. Quotes of both kinds enclose words with spaces, and a backslash
  /// precedes a character that stands for itself.
  static func split(_ text: String) throws(ToolError) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character.isWhitespace {
        if let finished = word { words.append(finished) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else {
      throw ToolError("A quote is not closed.\n  \(text.printable)")
    }
    if let word { words.append(word) }
    return words
  }
}
