/// An error in a predicate, with its position.
package struct TextPredicateError: Error, Equatable, Sendable {
  /// The message, a full sentence.
  package var message: String
  /// The position in characters from 0. The number of characters for the end.
  package var position: Int
  /// Additional lines of the message.
  package var details: [String] = []
  /// The class and the property that the error is about.
  package var className: String?
  package var propertyName: String?
  /// Whether the error is an unknown property name.
  package var isOfName = false
  /// The token at the position. Empty at the end, and for an error that does not concern a single
  /// token.
  package var token = ""
  /// The other errors, ordered by position. They have no other errors themselves.
  package var others: [TextPredicateError] = []

  package init(
    message: String, position: Int, details: [String] = [], className: String? = nil,
    propertyName: String? = nil
  ) {
    self.message = message
    self.position = position
    self.details = details
    self.className = className
    self.propertyName = propertyName
  }

  /// Combines errors: the first one contains the others. Returns nil if there are none.
  static func joined(_ errors: [TextPredicateError]) -> TextPredicateError? {
    // Sorted by position and offset, because the standard sort is not documented to be stable.
    let sorted = errors.enumerated().sorted {
      ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
    }
    guard var first = sorted.first?.element else { return nil }
    first.others = sorted.dropFirst().map(\.element)
    return first
  }

  /// The message with its position.
  package var sentence: String { "\(message) (character \(position + 1) of the predicate)" }

  /// The lines that follow the message: the position, details and the other errors.
  ///
  /// - Parameters:
  ///   - text: The whole predicate.
  ///   - printable: Converts a character to printable text.
  /// - Returns: At least two lines.
  package func lines(
    in text: String, printable: (Character) -> String = { $0.isNewline ? " " : String($0) }
  ) -> [String] {
    var lines = excerpt(in: text, printable: printable) + details
    for other in others {
      let owner = [other.className, other.propertyName].compactMap(\.self).joined(separator: ".")
      lines.append("also: " + other.sentence + (owner.isEmpty ? "" : " [\(owner)]"))
      lines += other.excerpt(in: text, printable: printable) + other.details
    }
    return lines
  }

  /// The two lines that show the position: the predicate, abbreviated around the position if it is
  /// long, and a mark below it.
  ///
  /// - Parameters:
  ///   - text: The whole predicate.
  ///   - printable: Converts a character to printable text.
  package func excerpt(
    in text: String, printable: (Character) -> String = { $0.isNewline ? " " : String($0) }
  ) -> [String] {
    let from = max(0, position - 50)
    let start = text.index(text.startIndex, offsetBy: from, limitedBy: text.endIndex)
    let rest = text[(start ?? text.endIndex)...]
    let before = rest.prefix(position - from).map(printable).joined()
    let after = rest.dropFirst(position - from).prefix(20)
    let end = after.endIndex
    let (open, close) = (from > 0 ? "…" : "", end < text.endIndex ? "…" : "")
    let marker = String(repeating: " ", count: open.count + before.count) + "^"
    return [open + before + after.map(printable).joined() + close, marker]
  }

  /// The error as a `Failure`.
  package func failure(in text: String, className: String) -> Failure {
    Failure(
      isOfName ? .unknownProperty : .invalidInput, sentence,
      className: self.className ?? className, propertyName: propertyName, details: lines(in: text))
  }
}
