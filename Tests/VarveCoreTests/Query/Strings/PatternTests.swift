import Testing
import VarveCore
import VarveTestSupport

@Suite struct PatternTests {
  @Test(arguments: [
    ("abc", "abc", true), ("abc", "abcd", false), ("a.c", "aéc", true), ("a.c", "a\nc", false),
    ("(?s)a.c", "a\nc", true), ("(?i)ÉA", "éa", true), ("(?is).A", "\na", true),
    ("a|bc|", "", true),
    ("a|bc|", "bc", true), ("(a|b)*c", "ababc", true), ("(?:ab)+", "abab", true),
    ("(?:ab)+", "aba", false), ("a{2}", "aa", true), ("a{2}", "aaa", false),
    ("a{2,}", "aaaa", true),
    ("a{2,}", "a", false), ("a{1,3}", "aaa", true), ("a{1,3}", "aaaa", false), ("a{0}", "", true),
    ("a*?b+?", "aab", true), ("^a$", "a", true), ("a^b", "ab", false),
    ("(^a|b$)*", "ab", true), ("\\Aa\\z", "a", true), ("[a-c]+", "abc", true),
    ("[^a-c]", "d", true),
    ("[^a-c]", "b", false), ("[-a]+", "-a", true), ("[a-]+", "-a", true), ("[\\]\\-]", "]", true),
    ("[\\d_]+", "1_٣", true), ("\\d+", "12٣", true), ("\\D", "1", false),
    ("\\s+", " \t\u{2003}", true),
    ("\\S", "é", true), ("\\w+", "aé_9한", true), ("\\W", "-", true),
    ("\\t\\n\\r\\f", "\t\n\r\u{C}", true),
    ("\\.\\*\\(", ".*(", true), ("\\u00e9\\u{1F600}\\x41\\x{42}", "é😀AB", true),
    ("\\p{Lu}+", "AÉ", true),
    ("\\p{Lu}", "a", false), ("\\P{L}", "1", true), ("[\\P{L}]", "a", false),
    ("\\p{Nd}", "٣", true),
    ("\\p{S}\\p{P}\\p{Z}", "+! ", true), ("()*", "", true), ("(()*)*a", "a", true),
    ("]}", "]}", true),
    ("(a*)*", "aaa", true), ("((a{0,2}){0,2}){3}", "aaaaaaaaaaaa", true),
    ("((a{0,2}){0,2}){3}", "aaaaaaaaaaaaa", false), ("(a+b?)+", "aabab", true), ("[^é]", "e", true),
  ])
  func syntax(pattern: String, text: String, matches: Bool) throws {
    #expect(try TextTest(.matches, pattern).matches(text) == matches)
  }

  @Test(arguments: [
    ("ab(", 2), ("ab)", 2), ("a(b|c", 1), ("*a", 0), ("a|*", 2), ("a**", 2), ("a*+", 2), ("a{2", 1),
    ("a{x}", 1), ("a{,3}", 1), ("{", 0), ("a{3,2}", 1), ("a{99999}", 2), ("[a", 0), ("é[]", 1),
    ("a[b-a]", 3),
    ("[a[b]]", 2), ("[a&&b]", 2), ("(a)\\1", 3), ("\\k<a>", 0), ("x(?=a)", 1), ("(?<a>b)", 0),
    ("a(?i)b", 1), ("(?i", 3), ("(?ix)a", 3), ("\\", 0), ("\\q", 0), ("a\\b", 1), ("\\p{Xx}", 0),
    ("\\pL", 0), ("\\u12", 0), ("\\ud800", 0), ("\\u{110000}", 0), ("[\\d-a", 0), ("[a-\\d]", 2),
    ("e\u{301}(", 1), ("(a{1000}){1000}", 0), ("((a*){9999}){9999}", 0),
  ])
  func faultsHavePositions(pattern: String, position: Int) {
    let fault = #expect(throws: TextTest.Fault.self) { try TextTest(.matches, pattern) }
    #expect(fault?.position == position, "\(fault?.message ?? "")")
  }

  @Test func limitsAreEnforced() throws {
    let deep = { (depth: Int) in
      String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
    }
    #expect(try TextTest(.matches, deep(100)).matches("a"))
    let fault = #expect(throws: TextTest.Fault.self) { try TextTest(.matches, deep(4000)) }
    #expect(fault?.position == 100)
    let long = String(repeating: "a", count: 10_000)
    #expect(try TextTest(.matches, long).matches(long))
    let longer = #expect(throws: TextTest.Fault.self) { try TextTest(.matches, long + "a") }
    #expect(longer?.position == 10_000)
    #expect(try TextTest(.matches, "(a{140}){140}").matches(String(repeating: "a", count: 19_600)))
    #expect(try TextTest(.matches, "(()*){9999}").matches(""))
  }

  @Test(arguments: ["(a*)*b", "(a|a)*b", "(a|aa)+b", "(.*)*(.*)*b", "(a?){50}a*b", ".*a.*a.*a.*b"])
  func runawayPatternsEnd(pattern: String) throws {
    let text = String(repeating: "a", count: 100_000)
    let test = try TextTest(.matches, pattern)
    #expect(!test.matches(text))
    #expect(test.matches(text + "b"))
  }

  @Test func patternsAgreeWithOracle() throws {
    var random = SeededRandom()
    print("\(#function) \(random)")
    let foldings: [TextFolding] = [[], .caseless, .diacriticless, [.caseless, .diacriticless]]
    for _ in 0..<20_000 {
      let folding = random.pick(foldings)
      let pattern = PatternOracle.random(3, &random)
      let text = (0..<random.below(8)).map { _ in random.pick(PatternOracle.alphabet) }.joined()
      let test = try TextTest(.matches, pattern.text, folding: folding)
      let expected = pattern.matches(text, folding)
      #expect(
        test.matches(text) == expected,
        "\(random) \(folding.rawValue) \(pattern.text.debugDescription) \(text.debugDescription)")
    }
  }

  @Test func anyTextIsPatternOrFault() {
    var random = SeededRandom()
    print("\(#function) \(random)")
    let signs = Array("()[]{}|*+?.^$\\-,:!=<>&0129aAbdDsSwWpPuxLé\u{301}ßn한".unicodeScalars).map {
      String($0)
    }
    for _ in 0..<50_000 {
      let pattern =
        random.oneIn(5)
        ? String(decoding: random.bytes(random.below(30)), as: UTF8.self)
        : (0..<random.below(14)).map { _ in random.pick(signs) }.joined()
      let folding = TextFolding(rawValue: UInt8(random.below(4)))
      for operation in [Condition.Operation.matches, .like] {
        do {
          _ = try TextTest(operation, pattern, folding: folding).matches("aé1ß")
        } catch {
          #expect((0...pattern.count).contains(error.position), "\(random)")
        }
      }
    }
  }
}
