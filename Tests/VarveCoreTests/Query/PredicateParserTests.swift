import Testing
import VarveCore
import VarveTestSupport

@Suite struct PredicateParserTests {
  private func comparison(
    _ name: String, at position: Int = 0, _ operation: TextPredicate.Operation,
    _ operand: TextPredicate.Operand, isCaseInsensitive: Bool = false
  ) -> TextPredicate {
    .comparison(
      TextPredicate.Comparison(
        property: .init(text: name, position: position), operation: operation,
        isCaseInsensitive: isCaseInsensitive, operand: operand))
  }

  private func literal(_ content: TextPredicate.Literal.Content, at position: Int)
    -> TextPredicate.Operand
  {
    .literal(.init(content: content, position: position))
  }

  @Test(arguments: [
    ("a = 1", TextPredicate.Operation.equal), ("a == 1", .equal), ("a != 1", .notEqual),
    ("a <> 1", .notEqual), ("a < 1", .less), ("a <= 1", .lessOrEqual), ("a =< 1", .lessOrEqual),
    ("a > 1", .greater), ("a >= 1", .greaterOrEqual), ("a => 1", .greaterOrEqual),
    ("a contains 1", .contains), ("a BeginsWith 1", .beginsWith), ("a ENDSWITH 1", .endsWith),
  ])
  func everyOperatorIsKnown(text: String, operation: TextPredicate.Operation) throws {
    let predicate = try PredicateParser.parse(text)
    #expect(predicate == comparison("a", operation, literal(.int(1), at: text.count - 1)))
  }

  @Test(arguments: [
    ("-5", TextPredicate.Literal.Content.int(-5)), ("+5", .int(5)), ("1.5", .double(1.5)),
    ("-1e3", .double(-1000)), ("2E-1", .double(0.2)), (".5", .double(0.5)),
    ("9223372036854775807", .int(.max)), ("9223372036854775808", .double(0x1p63)),
    (#""a\"b\\\n""#, .string("a\"b\\\n")), ("''", .string("")),
    ("true", .bool(true)), ("NO", .bool(false)), ("null", .null), ("NIL", .null),
    ("'ünï 👩‍👩‍👧'", .string("ünï 👩‍👩‍👧")),
  ])
  func everyValueIsKnown(text: String, content: TextPredicate.Literal.Content) throws {
    let predicate = try PredicateParser.parse("a = " + text)
    #expect(predicate == comparison("a", .equal, literal(content, at: 4)))
  }

  @Test func andBindsCloserThanOrAndNotClosest() throws {
    let (a, b, c) = (
      comparison("a", at: 4, .equal, literal(.int(1), at: 6)),
      comparison("b", at: 11, .equal, literal(.int(2), at: 13)),
      comparison("c", at: 18, .equal, literal(.int(3), at: 20))
    )
    #expect(try PredicateParser.parse("not a=1 && b=2 or c=3") == .any([.all([.not(a), b]), c]))
    #expect(try PredicateParser.parse("!  (a=1 || b=2 && c=3)") == .not(.any([a, .all([b, c])])))
  }

  @Test func listsOptionsAndPropertiesAreRead() throws {
    let one = TextPredicate.Literal(content: .int(1), position: 6)
    let two = TextPredicate.Literal(content: .string("x"), position: 9)
    #expect(
      try PredicateParser.parse("a IN {1, 'x'}") == comparison("a", .in, .literals([one, two])))
    #expect(try PredicateParser.parse("a IN {}") == comparison("a", .in, .literals([])))
    #expect(
      try PredicateParser.parse("a ==[c] 'x'")
        == comparison("a", .equal, literal(.string("x"), at: 8), isCaseInsensitive: true))
    #expect(
      try PredicateParser.parse("a < b")
        == comparison("a", .less, .property(.init(text: "b", position: 4))))
    #expect(try PredicateParser.parse("TRUEPREDICATE") == .constant(true))
    #expect(try PredicateParser.parse("falsepredicate") == .constant(false))
  }

  @Test(arguments: [
    ("", 0), ("   ", 3), ("a", 1), ("a =", 3), ("= 1", 0), ("a = 1 b", 6),
    ("(a = 1", 6),
    ("a = 1)", 5), ("a ~ 1", 2), ("a LIKE 'x'", 2), ("a = 'x", 4), ("a = 'x\\q'", 6), ("a = 1x", 4),
    ("a = 1e999", 4), ("a = -", 4), ("ANY a = 1", 0),

    ("a IN 1", 5), ("a IN {1", 7), ("a IN {b}", 6), ("a IN {1,}", 8), ("a =[d] 'x'", 4),
    ("a = %@", 4),
    ("NOT", 3), ("a = 1 AND", 9), ("true = 1", 7), ("a = ü = 1", 6), ("a\0 = 1", 1),
  ])
  func whatIsNoPredicateIsToldWithItsPlace(text: String, position: Int) {
    do throws(TextPredicateError) {
      let predicate = try PredicateParser.parse(text)
      Issue.record("\(text) is read as \(predicate)")
    } catch {
      #expect(error.position == position, "\(text): \(error.message)")
    }
  }

  @Test func aLongChainIsReadAndDeepNestingIsRefused() throws {
    let chain = Array(repeating: "a = 1", count: 10_000)
    for word in [" AND ", " OR "] {
      _ = try PredicateParser.parse(chain.joined(separator: word))
    }
    for nesting in ["(", "NOT ", "!"] {
      let text = String(repeating: nesting, count: 100_000) + "a = 1"
      #expect(throws: TextPredicateError.self) { try PredicateParser.parse(text) }
    }
  }

  @Test func theErrorShowsThePlace() {
    let error = TextPredicateError(message: "No.", position: 5)
    #expect(error.place(in: "age  is 5") == ["age  is 5", "     ^"])
    let long = TextPredicateError(message: "No.", position: 500)
    #expect(long.place(in: String(repeating: "x", count: 1000)).allSatisfy { $0.count < 100 })
    let end = TextPredicateError(message: "No.", position: 3)
    #expect(end.place(in: "age") == ["age", "   ^"])
    let text = end.failure(in: "age", className: "Dog")
    #expect(text.className == "Dog" && text.details == ["age", "   ^"])
  }

  @Test func anyBytesAreReadOrRefusedWithAPlaceInTheText() {
    var random = SeededRandom()
    let words = [
      "a", "=", "'", "\"", "\\", "(", ")", "{", "}", "[c]", " AND ", " OR ", " NOT ", "IN", "1",
      ".", "-",
      "e", "\0", "é", "\u{301}", "👩‍👩‍👧", "\u{2028}", "TRUE", "nil", "SELF", ",", "!", "&&",
    ]
    for _ in 0..<3000 {
      let text =
        random.chance(50)
        ? String(decoding: random.bytes(random.below(40)), as: UTF8.self)
        : (0..<random.below(12)).map { _ in random.pick(words) }.joined()
      do throws(TextPredicateError) {
        _ = try PredicateParser.parse(text)
      } catch {
        #expect((0...text.count).contains(error.position), "\(random) \(text.debugDescription)")
        #expect(error.place(in: text).count == 2)
      }
    }
  }
}
