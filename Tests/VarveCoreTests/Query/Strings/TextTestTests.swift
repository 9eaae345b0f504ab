import Testing
import VarveCore
import VarveTestSupport

@Suite struct TextTestTests {
  private static let foldings: [TextFolding] = [
    [], .caseless, .diacriticless, [.caseless, .diacriticless],
  ]

  @Test(arguments: [
    (Condition.Operation.equal, "Straße", "STRASSE"), (.beginsWith, "Straße", "STRAS"),
    (.endsWith, "Straße", "SE"), (.contains, "Straße", "ASS"), (.like, "Straße", "S?RAS*"),
    (.matches, "Straße", "STRA(SS|X)E"), (.matches, "Straße", "stra[ß]e"),
    (.matches, "STRASSE", "stra[ßx]e"), (.matches, "ÉTÉ", "[é-ê]t\u{65}\u{301}"),
    (.matches, "Σ", "[ς]"), (.matches, "a", "\\p{Lu}"), (.like, "e\u{301}", "?"),
  ])
  func caselessMatches(operation: Condition.Operation, text: String, operand: String) throws {
    #expect(try TextTest(operation, operand, folding: .caseless).matches(text))
    #expect(try !TextTest(operation, operand).matches(text))
  }

  @Test(arguments: TextTest.operations)
  func emptyOperands(operation: Condition.Operation) throws {
    for folding in Self.foldings {
      let test = try TextTest(operation, "", folding: folding)
      #expect(!test.matches("a"))
      #expect(test.matches("") == [.equal, .like, .matches].contains(operation))
      #expect(test.matches(utf8: UnsafeRawBufferPointer(start: nil, count: 0)) == test.matches(""))
    }
    let mark = try TextTest(.contains, "\u{301}", folding: .diacriticless)
    #expect(!mark.matches("é"))
  }

  @Test(arguments: [
    ("a\\*b", "a*b", true), ("a\\*b", "axb", false), ("a\\?", "a?", true), ("a\\?", "ab", false),
    ("a\\\\", "a\\", true), ("a\\b", "a\\b", true), ("a\\", "a\\", true), ("*", "", true),
    ("?", "", false), ("?", "é", true), ("?", "e\u{301}", false), ("??", "e\u{301}", true),
    ("*?", "한", true), ("a*b*c", "aXbYbZc", true), ("a*b*c", "acb", false), ("?*?", "漢", false),
  ])
  func likePatternCharacters(pattern: String, text: String, matches: Bool) throws {
    #expect(try TextTest(.like, pattern).matches(text) == matches)
  }

  @Test(arguments: TextTest.operations.filter { $0 != .matches })
  func operationsAgreeWithOracle(operation: Condition.Operation) throws {
    var random = SeededRandom()
    print("\(#function) \(operation) \(random)")
    for _ in 0..<20_000 {
      let folding = random.pick(Self.foldings)
      var text = AwkwardText.text(12, &random)
      if random.oneIn(5) { text += text + text }
      var operand = AwkwardText.text(4, &random)
      if operation == .like {
        operand = (0..<random.below(5)).map { _ in
          random.pick(["*", "?", "*", AwkwardText.text(3, &random)])
        }.joined()
      } else if random.chance(30), let start = text.indices.randomElement(using: &random) {
        operand = String(text[start...].prefix(random.below(4)))
      }
      let expected = TextOracle.matches(operation, text, operand, folding)
      let matches = try TextTest(operation, operand, folding: folding).matches(text)
      #expect(
        matches == expected,
        "\(random) \(folding.rawValue) \(text.debugDescription) \(operand.debugDescription)")
    }
  }

  @Test func longPartsAreFoundInLongTexts() throws {
    let text = String(repeating: "a", count: 100_000)
    for folding in Self.foldings {
      let part = String(repeating: "a", count: 50_000)
      #expect(try TextTest(.contains, part + "b", folding: folding).matches(text) == false)
      #expect(try TextTest(.contains, part + "b", folding: folding).matches(text + "b"))
      #expect(try TextTest(.like, "*a*a*a*a*b", folding: folding).matches(text) == false)
      #expect(try TextTest(.like, "*a*a*a*a*b", folding: folding).matches(text + "b"))
    }
  }

  @Test func longPartsBetweenStarsAreFoundInLongTexts() throws {
    let text = String(repeating: "a", count: 1_000_000)
    let part = String(repeating: "a", count: 400_000)
    for folding in Self.foldings {
      for (pattern, matches) in [
        ("*\(part)b", false), ("*\(part)", true), ("*\(part)*b*", false), ("*\(part)*a?", true),
        ("a*\(part)*\(part)a", true), ("*\(part)*\(part)*\(part)*", false),
      ] {
        #expect(try TextTest(.like, pattern, folding: folding).matches(text) == matches)
      }
    }
  }

  @Test func invalidUTF8NeverTraps() throws {
    var random = SeededRandom()
    print("\(#function) \(random)")
    for _ in 0..<5000 {
      let bytes = random.bytes(random.below(12))
      for operation in TextTest.operations {
        for folding in Self.foldings {
          let test = try TextTest(operation, "a?", folding: folding)
          _ = bytes.withUnsafeBytes { test.matches(utf8: $0) }
        }
      }
    }
  }
}
