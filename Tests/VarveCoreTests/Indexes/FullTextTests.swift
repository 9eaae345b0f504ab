import Testing
import VarveCore

@Suite struct FullTextTests {
  @Test(arguments: [
    ("The quick  fox", ["the", "quick", "fox"]), ("Café", ["cafe"]), ("Cafe\u{301}s", ["cafes"]),
    ("e-mail, 3rd", ["e", "mail", "3rd"]), ("", []), ("—…", []), ("ΣΊΣΥΦΟΣ", ["σισυφοσ"]),
    ("Straße", ["straße"]), ("ﬁne", ["fine"]), ("日本", ["日本"]), ("a\u{0}b", ["a", "b"]),
  ])
  func wordsAreRunsOfLettersAndDigits(_ text: String, _ words: [String]) {
    #expect(FullText.words(of: text).keys.sorted() == words.sorted())
  }

  @Test func wordsAreCounted() {
    #expect(FullText.words(of: "A a á b") == ["a": 3, "b": 1])
  }

  @Test(arguments: [
    ("brown fox", true), ("brown cat", false), ("FOX", true), ("fo", false), ("fo*", true),
    ("-cat fox", true), ("-bro* fox", false), ("-cat", false), ("", false), ("quick-brown", true),
  ])
  func queriesRequireAllWords(_ query: String, _ isMatch: Bool) {
    #expect(FullText.matches("The quick brown Fóx", FullTextQuery(query)) == isMatch)
  }

  @Test func longWordsAreIndexedByPrefix() {
    let word = String(repeating: "é", count: 20) + String(repeating: "x", count: 60)
    #expect(FullText.words(of: word).keys.allSatisfy { $0.utf8.count == 64 })
    #expect(FullText.matches(word, FullTextQuery(word + "y")))
    #expect(FullText.matches(word, FullTextQuery(String(word.prefix(30)) + "*")))
  }
}
