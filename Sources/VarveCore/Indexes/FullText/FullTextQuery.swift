/// A full-text query: the words that a text must contain.
///
/// The terms of a query are separated by white space. A term that begins with `-` excludes texts
/// with its words. A term that ends with `*` matches words by prefix. A term of several words, such
/// as `e-mail`, requires each of them. A query without a required word matches no text.
package struct FullTextQuery: Sendable, Hashable {
  /// A word, or a prefix of words.
  package struct Term: Sendable, Hashable {
    /// The bytes of the word.
    let word: [UInt8]
    let isPrefix: Bool
  }

  package let included: [Term]
  package let excluded: [Term]

  /// Parses a query. Every text is a valid query.
  package init(_ text: String) {
    var included: [Term] = []
    var excluded: [Term] = []
    // By scalars, as words are: a space with a combining mark behind it is a space.
    for part in text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace) {
      let isExcluded = part.first == "-"
      let words = SplitText(String(part))
      var start = 0
      for (index, end) in words.ends.enumerated() {
        let term = Term(
          word: Array(words.bytes[start..<end]),
          isPrefix: part.last == "*" && index == words.ends.count - 1)
        start = end
        if isExcluded {
          if !excluded.contains(term) { excluded.append(term) }
        } else if !included.contains(term) {
          included.append(term)
        }
      }
    }
    self.included = included
    self.excluded = excluded
  }
}
