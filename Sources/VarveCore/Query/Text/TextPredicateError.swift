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
  /// Whether another argument would do: what is wrong then depends on data.
  package var isOfArgument = false

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

  /// The error of an argument.
  static func argument(_ message: String, position: Int) -> TextPredicateError {
    var error = TextPredicateError(message: message, position: position)
    error.isOfArgument = true
    return error
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
    let characters = Array(text)
    let start = max(0, position - 50)
    let end = min(characters.count, position + 20)
    let before = characters[start..<max(start, min(position, end))].map(printable).joined()
    let after = characters[min(position, end)..<end].map(printable).joined()
    let (open, close) = (start > 0 ? "…" : "", end < characters.count ? "…" : "")
    let mark = String(repeating: " ", count: open.count + before.count) + "^"
    return [open + before + after + close, mark]
  }

  /// As what the library throws.
  package func failure(in text: String, className: String) -> Failure {
    Failure(
      propertyName == nil || !details.contains { $0.hasPrefix("properties:") }
        ? .invalidInput : .unknownProperty,
      "\(message) (character \(position + 1) of the predicate)",
      className: self.className ?? className, propertyName: propertyName,
      details: place(in: text) + details)
  }
}
