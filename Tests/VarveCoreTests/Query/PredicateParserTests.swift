import Foundation
import Testing
import VarveCore
import VarveEncoding
import VarveTestSupport

@Suite struct PredicateParserTests {
  private typealias Content = TextPredicate.Literal.Content

  private func condition(_ text: String, _ arguments: [Content] = []) -> String {
    do throws(TextPredicateError) {
      return try PredicateCorpus.read(text, arguments).condition.description
    } catch {
      return "character \(error.position): \(error.message)"
    }
  }

  @Test func argumentsReplacePlaceholders() {
    #expect(
      condition("age = %@ AND name = %@", [.int(1), .string("x")])
        == condition("age=1 AND name='x'"))
    #expect(
      condition("age = $1 OR age = $0 + $1", [.int(2), .int(1)]) == condition("age=1 OR age=2+1"))
    #expect(condition("age IN %@", [.list([.int(1), .null])]) == condition("age IN {1, NULL}"))
    #expect(
      condition("age BETWEEN $0", [.list([.int(1), .int(5)])]) == condition("age BETWEEN {1, 5}"))
    #expect(condition("age IN {%@, 2, %@}", [.int(1), .int(3)]) == condition("age IN {1, 2, 3}"))
    #expect(condition("%@ IN tags", [.string("x")]) == condition("'x' IN tags"))
    #expect(condition("%K = %d", [.string("best.age"), .int(1)]) == condition("best.age = 1"))
    #expect(
      condition("ANY %K = %@", [.string("hounds.age"), .int(1)]) == condition("ANY hounds.age = 1"))
    #expect(condition("%K.age = 1", [.string("best")]) == condition("best.age = 1"))
    #expect(condition("%K = 2", [.string("hounds.@count")]) == condition("hounds.@count = 2"))
    #expect(condition("$K0 = $1", [.string("limit"), .int(1)]) == condition("limit = 1"))
    #expect(condition("hounds[%@].age = 1", [.int(2)]) == condition("hounds[2].age = 1"))
    #expect(condition("rates[$0] > 1", [.string("x")]) == condition("rates['x'] > 1"))
    #expect(condition("age > %@ LIMIT(%@)", [.int(1), .int(5)]) == condition("age > 1"))
    #expect(condition("%K = 1", [.string("SELF.age")]).hasPrefix("character"))
  }

  @Test func wrongArgumentsAreReportedAtPlaceholders() {
    let value = "This value cannot be compared with the type Int."
    #expect(condition("age = %@", [.string("x")]) == "character 6: \(value)")
    #expect(condition("age IN %@", [.list([.int(1), .string("x")])]) == "character 7: \(value)")
    #expect(condition("age IN %@", [.int(1)]) == "character 7: The argument must be a sequence.")
    #expect(condition("age = %@", [.list([])]).hasPrefix("character 6"))
    #expect(condition("age BETWEEN %@", [.list([.int(1)])]).hasPrefix("character 12"))
    #expect(condition("%K = 1", [.int(1)]) == "character 0: The argument of %K must be a name.")
    #expect(condition("%K = 1", [.string("colour")]).hasPrefix("character 0"))
    #expect(condition("%K > 'x'", [.string("age")]) == "character 5: \(value)")
    #expect(condition("age + %@ > 5", [.string("x")]).hasPrefix("character 6"))
    #expect(condition("name MATCHES %@", [.string("(")]).hasPrefix("character 13"))
    #expect(condition("age > 1 LIMIT(%@)", [.int(-1)]).hasPrefix("character 14"))
    #expect(condition("hounds[%@].age = 1", [.int(-1)]).hasPrefix("character 7"))
    #expect(condition("%K = 'x' AND name = 5", [.string("age")]).hasPrefix("character 5"))
    #expect(condition("age = %@") == "character 6: There are fewer arguments than placeholders.")
    #expect(
      condition("age = 1", [.int(1)]) == "character 7: There are 1 arguments for 0 placeholders.")
    #expect(
      condition("age = $1", [.int(1), .int(1)])
        == "character 8: There are 2 arguments for 1 placeholders.")
    #expect(condition("age = $5", [.int(1)]).hasPrefix("character 6"))
    #expect(condition("age = $99999999999999999999", [.int(1)]).hasPrefix("character 6"))
  }

  @Test func selfRefersToValues() throws {
    func condition(_ text: String, _ type: PropertyType) throws(TextPredicateError) -> String {
      try BoundPredicateText.read(text, [], on: nil, orValues: PropertyKind(type: type)).condition
        .description
    }
    #expect(try condition("SELF > 2 AND self + 1 < 5", .int64) == "(SELF > 2 AND (SELF + 1) < 5)")
    #expect(try condition("SELF BEGINSWITH[c] 'a'", .string) == "SELF BEGINSWITH[c] \"a\"")
    #expect(
      try condition("SELF['a'][0] = 1 OR SELF.@type = 'int'", .mixed)
        == "(SELF[\"a\"][0] == 1 OR SELF.@type == \"int\")")
    for text in ["name = 1", "SELF.name = 1", "SELF.@count = 1", "SELF = 'x'", "@links.A.b = 1"] {
      #expect(throws: TextPredicateError.self, "\(text)") { _ = try condition(text, .int64) }
    }
  }

  @Test func longChainsAreParsedAndDeepNestingIsRefused() throws {
    for word in [" AND ", " OR "] {
      let chain = Array(repeating: "age = 1", count: 100_000).joined(separator: word)
      _ = try PredicateCorpus.read(chain)
    }
    for (opening, closing) in [("(", ")"), ("NOT ", ""), ("!", ""), ("-", ""), ("NOT (", ")")] {
      let deep =
        String(repeating: opening, count: 100_000) + "age = 1"
        + String(repeating: closing, count: 100_000)
      let error = #expect(throws: TextPredicateError.self) { try PredicateCorpus.read(deep) }
      #expect(
        error?.message.contains("100 levels") == true && error?.others.isEmpty == true, "\(opening)"
      )
    }
    let depth = PredicateParser.maximumDepth / 2
    for (opening, closing) in [("(", ")"), ("NOT ", ""), ("NOT (", ")")] {
      let text =
        String(repeating: opening, count: depth) + "age = 1"
        + String(repeating: closing, count: depth)
      _ = try PredicateCorpus.read(text)
    }
    var nested = "$x.age = 1"
    for _ in 0..<90 { nested = "SUBQUERY($x.admirers, $x, \(nested)).@count = 1" }
    _ = try PredicateCorpus.read("SUBQUERY(admirers, $x, \(nested)).@count = 1")
  }

  @Test func overlongPredicatesAreRefused() {
    let longArithmetic = "age = 1" + String(repeating: " + 1", count: 200)
    let longList = "age IN {" + Array(repeating: "1", count: 100_001).joined(separator: ",") + "}"
    let longPath = Array(repeating: "best", count: 101).joined(separator: ".") + ".age = 1"
    let text = String(repeating: " ", count: PredicateParser.maximumLength) + "age = 1"
    for text in [longArithmetic, longList, longPath, text] {
      #expect(throws: TextPredicateError.self) { try PredicateCorpus.read(text) }
    }
    let path = Array(repeating: "best", count: 99).joined(separator: ".") + ".age = 1"
    #expect(throws: Never.self) { try PredicateCorpus.read(path) }
    let name = Content.string(Array(repeating: "best", count: 101).joined(separator: "."))
    #expect(condition("%K = NULL", [name]).hasPrefix("character 0"))
  }

  @Test func quoteIsRecognizedBeforeCombiningMark() {
    #expect(
      condition("name = 'e'\u{301}") == "character 9: This character is not allowed in a predicate."
    )
    #expect(condition("name = '\u{301}e'") == "name == \"\u{301}e\"")
    #expect(condition("name = 'x\r\n' AND colour = 1").hasPrefix("character 16: "))
  }

  @Test func errorShowsPosition() {
    let error = TextPredicateError(message: "No.", position: 5)
    #expect(error.excerpt(in: "age  is 5") == ["age  is 5", "     ^"])
    let long = TextPredicateError(message: "No.", position: 500)
    #expect(long.excerpt(in: String(repeating: "x", count: 1000)).allSatisfy { $0.count < 100 })
    let end = TextPredicateError(message: "No.", position: 3)
    #expect(end.excerpt(in: "age") == ["age", "   ^"])
    let text = end.failure(in: "age", className: "Dog")
    #expect(text.className == "Dog" && text.details == ["age", "   ^"])
  }

  @Test func firstErrorListsOthersInDetails() throws {
    let text = "colour = 1 AND age ="
    let error = try #require(throws: TextPredicateError.self) { try PredicateCorpus.read(text) }
    let failure = error.failure(in: text, className: "Breeder")
    #expect(failure.code == .unknownProperty && failure.propertyName == "colour")
    #expect(failure.details.filter { $0.hasSuffix("^") }.count == 2)
    #expect(failure.details.contains { $0.hasPrefix("also: ") && $0.contains("character 21") })
    #expect(error.token == "colour")
  }
}
