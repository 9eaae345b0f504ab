/// What is wrong with a predicate, and where.
package struct TextPredicateError: Error, Equatable, Sendable {
  /// A sentence.
  package var message: String
  /// In characters from 0; the number of characters for the end.
  package var position: Int
  /// Lines with more.
  package var details: [String] = []
  /// The class and the property that the error is about.
  package var className: String?
  package var propertyName: String?
  /// Whether a class does not have a property of a name.
  package var isOfName = false
  /// What stands there; empty at the end, and for what concerns no single word.
  package var token = ""
  /// What else is wrong, in the order of the places; those have none themselves.
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

  /// Several as one: the first, which the others belong to; nil for none.
  static func joined(_ errors: [TextPredicateError]) -> TextPredicateError? {
    // Sorted by hand: the standard sort does not keep equal ones in order by contract.
    let sorted = errors.enumerated().sorted {
      ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
    }
    guard var first = sorted.first?.element else { return nil }
    first.others = sorted.dropFirst().map(\.element)
    return first
  }

  /// The sentence with its place.
  package var sentence: String { "\(message) (character \(position + 1) of the predicate)" }

  /// The lines that belong to the sentence: the place, and what else is wrong.
  ///
  /// - Parameters:
  ///   - text: The whole predicate.
  ///   - printable: Makes a character fit to be shown.
  /// - Returns: At least two lines.
  package func lines(
    in text: String, printable: (Character) -> String = { $0.isNewline ? " " : String($0) }
  ) -> [String] {
    var lines = place(in: text, printable: printable) + details
    for other in others {
      let owner = [other.className, other.propertyName].compactMap(\.self).joined(separator: ".")
      lines.append("also: " + other.sentence + (owner.isEmpty ? "" : " [\(owner)]"))
      lines += other.place(in: text, printable: printable) + other.details
    }
    return lines
  }

  /// The lines that show the place: the predicate, and a mark below. A long one is cut around the place.
  ///
  /// - Parameters:
  ///   - text: The whole predicate.
  ///   - printable: Makes a character fit to be shown.
  /// - Returns: The two lines.
  package func place(
    in text: String, printable: (Character) -> String = { $0.isNewline ? " " : String($0) }
  ) -> [String] {
    let from = max(0, position - 50)
    let start = text.index(text.startIndex, offsetBy: from, limitedBy: text.endIndex)
    let rest = text[(start ?? text.endIndex)...]
    let before = rest.prefix(position - from).map(printable).joined()
    let after = rest.dropFirst(position - from).prefix(20)
    let end = after.endIndex
    let (open, close) = (from > 0 ? "…" : "", end < text.endIndex ? "…" : "")
    let mark = String(repeating: " ", count: open.count + before.count) + "^"
    return [open + before + after.map(printable).joined() + close, mark]
  }

  /// As what the library throws.
  package func failure(in text: String, className: String) -> Failure {
    Failure(
      isOfName ? .unknownProperty : .invalidInput, sentence,
      className: self.className ?? className, propertyName: propertyName, details: lines(in: text))
  }
}
