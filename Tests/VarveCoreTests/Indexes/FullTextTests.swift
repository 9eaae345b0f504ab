import Testing
import VarveCore
import VarveEncoding
import VarveTestSupport

@Suite struct FullTextTests {
  /// The words of a text in the order of their bytes, with their numbers of occurrences.
  private func words(_ text: String) -> [(word: String, count: UInt32)] {
    var words: [(word: String, count: UInt32)] = []
    FullText.words(of: text).forEach { words.append((String(decoding: $0, as: UTF8.self), $1)) }
    return words
  }

  @Test(arguments: [
    ("The quick  fox", ["the", "quick", "fox"]), ("Café", ["cafe"]), ("Cafe\u{301}s", ["cafes"]),
    ("e-mail, 3rd", ["e", "mail", "3rd"]), ("", []), ("—…", []), ("ΣΊΣΥΦΟΣ", ["σισυφοσ"]),
    ("Straße", ["straße"]), ("ﬁne", ["fine"]), ("日本", ["日本"]), ("a\u{0}b", ["a", "b"]),
  ])
  func wordsAreRunsOfLettersAndDigits(_ text: String, _ words: [String]) {
    #expect(self.words(text).map(\.word).sorted() == words.sorted())
  }

  @Test func wordsAreCounted() {
    let words = words("A a á b, z2 é a")
    #expect(words.map(\.word) == ["a", "b", "e", "z2"])
    #expect(words.map(\.count) == [4, 1, 1, 1])
  }

  /// ASCII texts are split without conversions. The result is that of other texts.
  @Test func splitDoesNotDependOnOtherCharacters() {
    var random = SeededRandom()
    for _ in 0..<300 {
      let scalars = (0..<random.below(200)).map { _ in UInt8(random.below(128)) }
      let text = String(decoding: scalars, as: UTF8.self)
      // A character that is no part of a word.
      let other = words(text + " …")
      #expect(words(text).map(\.word) == other.map(\.word), "\(random)")
      #expect(words(text).map(\.count) == other.map(\.count), "\(random)")
    }
  }

  @Test(arguments: [
    ("brown fox", true), ("brown cat", false), ("FOX", true), ("fo", false), ("fo*", true),
    ("-cat fox", true), ("-bro* fox", false), ("-cat", false), ("", false), ("quick-brown", true),
  ])
  func queriesRequireAllWords(_ query: String, _ isMatch: Bool) {
    #expect(FullText.matches("The quick brown Fóx", FullTextQuery(query)) == isMatch)
  }

  /// A combining mark joins the space or the hyphen before it to one character.
  @Test(arguments: [
    ("alpha \u{903}", false), ("\u{903} alpha", false), ("alpha -\u{903}", true),
    ("alpha -\u{903} beta", true), ("alpha \u{20DD}", true),
  ])
  func queriesAreSplitByScalars(_ query: String, _ isMatch: Bool) {
    #expect(FullText.matches("alpha beta", FullTextQuery(query)) == isMatch)
    #expect(
      FullText.matches("alpha \u{903} beta", FullTextQuery(query)) == !query.unicodeScalars
        .contains("-"))
  }

  @Test func longWordsAreIndexedByPrefix() {
    let word = String(repeating: "é", count: 20) + String(repeating: "x", count: 60)
    let lengths = words(word).map(\.word.utf8.count)
    #expect(lengths == [64])
    #expect(words(String(repeating: "x", count: 200) + " x").map(\.word.utf8.count) == [1, 64])
    #expect(words("a" + String(repeating: "日", count: 30)).map(\.word.utf8.count) == [64])
    #expect(FullText.matches(word, FullTextQuery(word + "y")))
    #expect(FullText.matches(word, FullTextQuery(String(word.prefix(30)) + "*")))
  }
}
