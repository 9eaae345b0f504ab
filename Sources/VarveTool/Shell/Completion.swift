/// The completions of the word at the cursor.
struct Completion: Equatable {
  /// The number of characters of the word.
  var wordLength: Int
  /// The words that begin with the word, in order.
  var candidates: [String]

  init(of word: String, among words: [String]) {
    wordLength = word.count
    candidates = Set(words).filter { $0.lowercased().hasPrefix(word.lowercased()) }.sorted()
  }

  /// The text that replaces the word: the only candidate with a space, or the part that all
  /// candidates share; nil when this is not longer than the word.
  var insertion: String? {
    guard let first = candidates.first else { return nil }
    if candidates.count == 1 { return first.last == "(" || first.last == "." ? first : first + " " }
    let shared = candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    return shared.count > wordLength ? shared : nil
  }
}

extension String {
  private func commonPrefixCount(_ other: String) -> Int {
    zip(self, other).prefix { $0 == $1 }.count
  }

  fileprivate func commonPrefix(with other: String) -> String {
    String(prefix(commonPrefixCount(other)))
  }
}
