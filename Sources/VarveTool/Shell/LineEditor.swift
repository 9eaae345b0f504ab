import Foundation
import VarveCore

/// Reads lines from a terminal, with history and completion.
///
/// Thread safety: use it from one thread.
struct LineEditor {
  enum Outcome: Equatable {
    case line(String)
    /// Ctrl-C.
    case interrupted
    /// Ctrl-D on an empty line, or the end of the input.
    case end
  }

  private let keys: KeyReader
  private let terminal: Terminal
  private let complete: (EditedLine) -> Completion
  private(set) var history: [String]

  /// - Parameters:
  ///   - history: The earlier lines, the oldest first.
  ///   - complete: Returns the completions of a line at its cursor.
  init(
    _ keys: KeyReader, _ terminal: Terminal, history: [String] = [],
    complete: @escaping (EditedLine) -> Completion
  ) {
    self.keys = keys
    self.terminal = terminal
    self.history = history
    self.complete = complete
  }

  /// Reads a line, in raw mode.
  mutating func read(_ prompt: String) -> Outcome {
    var line = EditedLine()
    /// The lines of the history with the changes made to them, followed by the new line.
    var lines = history.map { EditedLine($0) } + [line]
    var position = history.count
    var isListing = false
    show(prompt, line)
    while let key = keys.next() {
      let wasListing = isListing
      isListing = false
      switch key {
      case .enter:
        terminal.show("\r\n")
        return accept(line.text)
      case .control("c"):
        terminal.show("^C\r\n")
        return .interrupted
      case .control("d") where line.characters.isEmpty:
        terminal.show("\r\n")
        return .end
      case .up, .control("p"):
        guard position > 0 else { break }
        lines[position] = line
        position -= 1
        line = lines[position]
        line.moveToEnd()
      case .down, .control("n"):
        guard position < history.count else { break }
        lines[position] = line
        position += 1
        line = lines[position]
        line.moveToEnd()
      case .tab: isListing = complete(&line, list: wasListing)
      case .control("l"): terminal.show("\u{1B}[H\u{1B}[2J")
      default: line.apply(key)
      }
      show(prompt, line)
    }
    return .end
  }

  private mutating func accept(_ text: String) -> Outcome {
    let isNew = !text.allSatisfy(\.isWhitespace) && text != history.last
    if isNew { history.append(text) }
    return .line(text)
  }

  /// Completes the word at the cursor, or lists its completions.
  ///
  /// - Returns: Whether the next call is to list them.
  private func complete(_ line: inout EditedLine, list: Bool) -> Bool {
    let completion = complete(line)
    if let text = completion.insertion {
      line.replace(last: completion.wordLength, with: text)
      return false
    }
    guard list, completion.candidates.count > 1 else { return true }
    terminal.show("\r\n" + completion.candidates.map(\.printable).joined(separator: "  ") + "\r\n")
    return false
  }

  private func show(_ prompt: String, _ line: EditedLine) {
    let (text, cursor) = line.visible(terminal.currentWidth - prompt.count - 1)
    let column = prompt.count + cursor
    let move = column > 0 ? "\r\u{1B}[\(column)C" : "\r"
    terminal.show("\r\u{1B}[K\(prompt)\(text.printable)\(move)")
  }
}

extension EditedLine {
  /// Changes the line as a key does; does nothing for keys without an effect on the line.
  mutating func apply(_ key: Key) {
    switch key {
    case .text(let text): insert(text)
    case .backspace, .control("h"): deleteBackward()
    case .delete, .control("d"): deleteForward()
    case .left, .control("b"): move(by: -1)
    case .right, .control("f"): move(by: 1)
    case .home, .control("a"): moveToStart()
    case .end, .control("e"): moveToEnd()
    case .control("k"): deleteToEnd()
    case .control("u"): deleteToStart()
    case .control("w"): deleteWord()
    default: break
    }
  }
}
