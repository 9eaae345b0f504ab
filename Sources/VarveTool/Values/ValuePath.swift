import VarveCore

/// A path to a part of an object on a command line: `owner.name`, `dogs[3]`, `scores["a b"]`.
struct ValuePath: Equatable {
  enum Step: Equatable {
    /// A property, or a key of a map.
    case name(String)
    /// An index of a list or a set.
    case index(Int)
  }

  let steps: [Step]

  /// - Throws: ``ToolError`` for a text that is not a path.
  init(_ text: String) throws(ToolError) {
    var rest = text[...]
    var steps: [Step] = []
    while !rest.isEmpty {
      if rest.first == "[" {
        steps.append(try Self.bracket(&rest, in: text))
      } else {
        if !steps.isEmpty {
          guard rest.first == "." else { throw Self.invalid(text) }
          rest.removeFirst()
        }
        let name = rest.prefix { $0 != "." && $0 != "[" }
        guard !name.isEmpty else { throw Self.invalid(text) }
        steps.append(.name(String(name)))
        rest.removeFirst(name.count)
      }
    }
    guard !steps.isEmpty else { throw Self.invalid(text) }
    self.steps = steps
  }

  /// Reads `[3]` or `["key"]`, in which a backslash precedes a quote or a backslash.
  private static func bracket(_ rest: inout Substring, in text: String) throws(ToolError) -> Step {
    rest.removeFirst()
    guard let quote = rest.first, quote == "\"" || quote == "'" else {
      let digits = rest.prefix { $0 != "]" }
      rest.removeFirst(digits.count)
      guard let index = Int(digits), rest.popFirst() == "]" else { throw invalid(text) }
      return .index(index)
    }
    rest.removeFirst()
    var key = ""
    while let character = rest.popFirst(), character != quote {
      guard character == "\\" else {
        key.append(character)
        continue
      }
      guard let escaped = rest.popFirst() else { throw invalid(text) }
      key.append(escaped)
    }
    guard rest.popFirst() == "]" else { throw invalid(text) }
    return .name(key)
  }

  private static func invalid(_ text: String) -> ToolError {
    ToolError(
      "The path is not like “owner.name”, “dogs[3]” or “scores[\"key\"]”.\n  \(text.printable)")
  }
}
