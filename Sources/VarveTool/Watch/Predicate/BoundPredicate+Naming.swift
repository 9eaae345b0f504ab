import VarveCore
import VarveEncoding

extension TextPredicateError {
  /// The error as a person reads it: the sentence, and the predicate with a mark below the place.
  ///
  /// - Parameter text: The whole predicate.
  /// - Returns: What to throw.
  func error(in text: String) -> ToolError {
    let lines =
      ["\(message) (character \(position + 1) of the predicate)"]
      + place(in: text) { String($0).printable } + details
    return ToolError(lines.joined(separator: "\n  "))
  }
}

extension ClassSchema {
  /// The property of a name.
  ///
  /// - Throws: ``TextPredicateError`` that tells which ones there are.
  func property(_ name: TextPredicate.Name) throws(TextPredicateError) -> StoredProperty {
    guard name.path.count == 1 else {
      throw TextPredicateError(
        message: "Only properties of the object itself can be asked for, not paths.",
        position: name.position)
    }
    guard let property = property(named: name.text) else {
      throw TextPredicateError(
        message: "The class \(self.name) has no property of this name.", position: name.position,
        details: ["properties: " + properties.map(\.name).joined(separator: ", ")])
    }
    guard property.kind.collection == .none else {
      throw TextPredicateError(
        message: "Collections cannot be asked for yet.", position: name.position)
    }
    return property
  }
}
