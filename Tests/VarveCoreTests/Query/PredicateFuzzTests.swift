import Foundation
import Testing
import VarveTestSupport

@testable import VarveCore

/// Any text results in a condition or an error. `VARVE_FUZZ_SECONDS` sets the duration of the test.
@Suite struct PredicateFuzzTests {
  private static let words = [
    "a", "=", "'", "\"", "\\", "(", ")", "{", "}", "[c]", " AND ", " OR ", " NOT ", " IN ", "1",
    ".", "-", "e", "\0", "é", "\u{301}", "👩‍👩‍👧", "\u{2028}", "TRUE", "nil", "SELF", ",", "!",
    "&&", "age", "hounds", "best.", "ANY ", "ALL ", "NONE ", "@count", ".@sum", "[", "]", "[*]",
    "$d", "$0", "%@", "%K", "SUBQUERY(", " SORT(", " LIMIT(", "uuid(", "T1:", "2024-01-31@", "#",
    "+", "*", "/", "\r\n", "@links.Hound.keeper", "BETWEEN", "0x", "B64\"",
  ]

  private static let arguments: [TextPredicate.Literal.Content] = [
    .int(1), .string("age"), .list([.int(1), .int(2)]), .null,
  ]

  private var end: ContinuousClock.Instant? {
    ProcessInfo.processInfo.environment["VARVE_FUZZ_SECONDS"].flatMap { Double($0) }
      .map { ContinuousClock.now + .seconds($0) }
  }

  @Test func anyTextGivesConditionOrErrorsWithPositions() throws {
    var random = SeededRandom()
    let corpus = try PredicateCorpus.entries().map(\.text)
    let end = end
    var round = 0
    while end.map({ ContinuousClock.now < $0 }) ?? (round < 4000) {
      round += 1
      check(text(corpus, &random), random)
    }
  }

  private func text(_ corpus: [String], _ random: inout SeededRandom) -> String {
    if random.oneIn(5) { return String(decoding: random.bytes(random.below(60)), as: UTF8.self) }
    if random.oneIn(5) {
      return (0..<random.below(15)).map { _ in random.pick(Self.words) }.joined()
    }
    var scalars = Array(random.pick(corpus).unicodeScalars)
    for _ in 0...random.below(4) {
      let index = random.below(scalars.count + 1)
      switch random.below(4) {
      case 0 where index < scalars.count: scalars.remove(at: index)
      case 1:
        scalars.insert(contentsOf: Array(random.pick(Self.words).unicodeScalars), at: index)
      case 2:
        // The beginning of one text and the end of another.
        let other = Array(random.pick(corpus).unicodeScalars)
        scalars = Array(scalars[..<index]) + other[random.below(other.count + 1)...]
      default:
        let range = index..<min(scalars.count, index + random.below(12))
        scalars.insert(contentsOf: Array(scalars[range]), at: random.below(scalars.count + 1))
      }
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  private func check(_ text: String, _ random: SeededRandom) {
    let arguments = text.contains("%") || text.contains("$") ? Self.arguments : []
    for arguments in [arguments, []] {
      let condition: Condition
      do throws(TextPredicateError) {
        condition = try PredicateCorpus.read(text, arguments).condition
      } catch {
        for error in [error] + error.others {
          let isInText = (0...text.count).contains(error.position)
          #expect(isInText, "\(random) \(text.debugDescription): \(error)")
        }
        #expect(error.others.count < PredicateParser.maximumErrorCount)
        #expect(error.lines(in: text).count >= 2)
        continue
      }
      let again = try? PredicateCorpus.read(condition.description).condition
      let isSame = again == condition
      #expect(isSame, "\(random) \(text.debugDescription): \(condition)")
    }
  }
}
