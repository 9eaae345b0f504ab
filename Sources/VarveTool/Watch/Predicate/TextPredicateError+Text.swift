import VarveCore

extension TextPredicateError {
  /// The error as a person reads it: the sentence, and the predicate with a mark below the place.
  ///
  /// - Parameter text: The whole predicate.
  /// - Returns: What to throw.
  func error(in text: String) -> ToolError {
    var lines = [sentence]
    let owner = [className, propertyName].compactMap(\.self).map(\.printable)
    if !owner.isEmpty { lines.append(owner.joined(separator: ".")) }
    return ToolError(
      (lines + self.lines(in: text) { String($0).printable }).joined(separator: "\n  "))
  }
}
