import VarveCore

extension TextPredicateError {
  /// Returns the error for display: the sentence, and the predicate with a mark below the position
  /// of the error.
  ///
  /// - Parameter text: The whole predicate.
  func error(in text: String) -> ToolError {
    var lines = [sentence]
    let owner = [className, propertyName].compactMap(\.self).map(\.printable)
    if !owner.isEmpty { lines.append(owner.joined(separator: ".")) }
    return ToolError(
      (lines + self.lines(in: text) { String($0).printable }).map(\.printable)
        .joined(separator: "\n  "))
  }
}
