package import VarveEncoding

/// Splits texts into words, for full-text search.
///
/// A word is a sequence of letters and digits, without combining marks. Case and diacritics are
/// ignored: `Café` contains the word `cafe`. Words are truncated to 64 bytes.
///
/// Full-text indexes store the words of texts. Letters and their lower case are determined by the
/// Unicode tables of the Swift standard library.
package enum FullText {
  /// Whether a text matches a query. A full-text index returns the same result.
  ///
  /// - Complexity: O(length of both).
  package static func matches(_ text: String, _ query: FullTextQuery) -> Bool {
    guard !query.included.isEmpty else { return false }
    let words = SplitText(text)
    return query.included.allSatisfy(words.contains)
      && !query.excluded.contains(where: words.contains)
  }

  /// The words of a text, with their numbers of occurrences.
  ///
  /// - Complexity: O(n log n).
  package static func words(of text: String) -> WordList {
    let words = SplitText(text)
    return WordList(bytes: words.bytes, ends: words.ends)
  }

  /// The words of a value. Empty if the value is not a string.
  static func words(of value: Value) -> WordList {
    if case .string(let text) = value { words(of: text) } else { .empty }
  }
}
