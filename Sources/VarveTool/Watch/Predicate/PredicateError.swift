import VarveCore

/// What is wrong with a predicate, and where.
struct PredicateError: Error, Equatable, Sendable {
  /// A sentence.
  var message: String
  /// In characters from 0; the number of characters for the end.
  var position: Int
  /// Lines with more.
  var details: [String] = []

  /// The error as a person reads it: the sentence, and the predicate with a mark below the place.
  ///
  /// - Parameter text: The whole predicate. A long one is cut around the place.
  /// - Returns: What to throw.
  func error(in text: String) -> ToolError {
    let characters = Array(text)
    let start = max(0, position - 50)
    let end = min(characters.count, position + 20)
    let before = characters[start..<min(position, end)].map { String($0).printable }.joined()
    let after = characters[min(position, end)..<end].map { String($0).printable }.joined()
    let (open, close) = (start > 0 ? "…" : "", end < characters.count ? "…" : "")
    let mark = String(repeating: " ", count: open.count + before.count) + "^"
    let lines =
      [
        "\(message) (character \(position + 1) of the predicate)", open + before + after + close,
        mark,
      ]
      + details
    return ToolError(lines.joined(separator: "\n  "))
  }
}
