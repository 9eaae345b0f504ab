import Testing
import VarveCore
import VarveTestSupport

@Suite struct TextCollationTests {
  @Test func collationsOrderStrings() {
    let sorted = { (collation: TextCollation, texts: [String]) in
      texts.sorted { order($0, $1, collation) == .ascending }
    }
    let words = [
      "b", "B", "resumes", "Résumé", "résumé", "Resume", "resume", "a", "", "ά", "α", "αβ",
    ]
    #expect(
      sorted(.unicode, words) == [
        "", "a", "B", "b", "Resume", "resume", "Résumé", "résumé", "resumes", "α", "ά", "αβ",
      ])
    #expect(sorted(.bytes, ["b", "é", "B", "z"]) == ["B", "b", "z", "é"])
    #expect(order("Straße", "STRASSE", .caseless) == .equal)
    #expect(order("É", "e\u{301}", .caseless) == .equal)
    #expect(order("e", "É", .caseless) == .ascending)
    #expect(order("É", "E\u{301}", .unicode) != .equal)
    #expect(order("a", "a\u{0}", .unicode) == .ascending)
  }

  @Test(arguments: [TextCollation.bytes, .unicode, .caseless])
  func keysHaveOrderOfStrings(collation: TextCollation) {
    var random = SeededRandom()
    print("\(#function) \(random)")
    for _ in 0..<20_000 {
      let a = AwkwardText.text(4, &random)
      let b = random.oneIn(3) ? a + AwkwardText.text(2, &random) : AwkwardText.text(4, &random)
      #expect(order(a, b, collation) == byLevels(a, b, collation), "\(random)")
    }
  }

  /// The order of the keys.
  private func order(_ a: String, _ b: String, _ collation: TextCollation) -> ValueOrdering {
    let (first, second) = (collation.key(a), collation.key(b))
    if first == second { return .equal }
    return first.lexicographicallyPrecedes(second) ? .ascending : .descending
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
