import VarveCore

/// A sort key on a command line: `age`, `age DESC`, `owner.name ASC`.
struct SortKeyText {
  let name: String
  let isAscending: Bool

  /// - Throws: ``ToolError`` for a text with other words.
  init(_ text: String) throws(ToolError) {
    let words = text.split(whereSeparator: \.isWhitespace)
    let isDescending = words.last?.uppercased() == "DESC"
    let isOrdered = words.count == 2 && (isDescending || words[1].uppercased() == "ASC")
    guard let name = words.first, words.count == 1 || isOrdered else {
      throw ToolError(
        "A sort key is the name of a property, and ASC or DESC after it.\n  \(text.printable)")
    }
    self.name = String(name)
    isAscending = !(isOrdered && isDescending)
  }
}
