import Testing
import VarveCore
import VarveTestSupport

@Suite struct TextCollationTests {
  @Test func orderOfEach() {
    let sorted = { (collation: TextCollation, texts: [String]) in
      texts.sorted { collation.compare($0, $1) == .ascending }
    }
    let words = [
      "b", "B", "resumes", "Résumé", "résumé", "Resume", "resume", "a", "", "ά", "α", "αβ",
    ]
    #expect(
      sorted(.unicode, words) == [
        "", "a", "B", "b", "Resume", "resume", "Résumé", "résumé", "resumes", "α", "ά", "αβ",
      ])
    #expect(sorted(.bytes, ["b", "é", "B", "z"]) == ["B", "b", "z", "é"])
    #expect(TextCollation.caseless.compare("Straße", "STRASSE") == .equal)
    #expect(TextCollation.caseless.compare("É", "e\u{301}") == .equal)
    #expect(TextCollation.caseless.compare("e", "É") == .ascending)
    #expect(TextCollation.unicode.compare("É", "E\u{301}") != .equal)
    #expect(TextCollation.unicode.compare("a", "a\u{0}") == .ascending)
  }

  @Test(arguments: [TextCollation.bytes, .unicode, .caseless])
  func keysAreInTheOrderOfTheStrings(collation: TextCollation) {
    var random = SeededRandom()
    print("\(#function) \(random)")
    for _ in 0..<20_000 {
      let a = AwkwardText.text(4, &random)
      let b = random.oneIn(3) ? a + AwkwardText.text(2, &random) : AwkwardText.text(4, &random)
      let (first, second) = (collation.key(a), collation.key(b))
      let expected: ValueOrdering =
        first == second
        ? .equal : first.lexicographicallyPrecedes(second) ? .ascending : .descending
      #expect(collation.compare(a, b) == expected, "\(random)")
      #expect(expected == byLevels(a, b, collation), "\(random)")
    }
  }

  private func byLevels(_ a: String, _ b: String, _ collation: TextCollation) -> ValueOrdering {
    let letters = TextFolding([.caseless, .diacriticless])
    func levels(_ text: String) -> [[UInt8]] {
      let (bare, marked) = (
        Array(letters.fold(text).utf8), Array(TextFolding.caseless.fold(text).utf8)
      )
      return switch collation {
      case .unicode: [bare, bare == marked ? [] : marked, Array(text.utf8)]
      case .caseless: [marked]
      default: [Array(text.utf8)]
      }
    }
    for (first, second) in zip(levels(a), levels(b)) where first != second {
      return first.lexicographicallyPrecedes(second) ? .ascending : .descending
    }
    return .equal
  }
}
