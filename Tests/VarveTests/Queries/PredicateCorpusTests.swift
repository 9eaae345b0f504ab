import Foundation
import Testing
import Varve
import VarveTestSupport

/// Evaluates the predicates of `Tests/VarveCoreTests/Fixtures/predicates.txt` on objects.
@Suite struct PredicateCorpusTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../VarveCoreTests/Fixtures/predicates.txt").standardized

  /// The valid predicates with their conditions, and the invalid ones.
  private func corpus() throws -> (good: [(text: String, condition: String)], bad: [String]) {
    var (good, bad): ([(text: String, condition: String)], [String]) = ([], [])
    var text = ""
    for line in try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n") {
      let rest = String(line.dropFirst(2))
      if line.hasPrefix("> ") { text = rest }
      if line.hasPrefix("= ") { good.append((text, rest)) }
      if line.hasPrefix("! "), bad.last != text { bad.append(text) }
    }
    return (good, bad)
  }

  private func ids(_ results: Results<Breeder>) -> Set<Int> { Set(results.map(\.id)) }

  @Test func predicatesMatchTheirDescriptionsAndNotTheirNegation() throws {
    try withTemporaryRealm { realm, _ in
      var random = SeededRandom()
      try BreederFixture.add(40, to: realm, &random)
      let all = realm.objects(Breeder.self)
      for (text, condition) in try corpus().good {
        let found = ids(try all.filter(text))
        let described = ids(try all.filter(condition))
        #expect(found == described, "\(random) \(text)")
        if [" SORT(", " DISTINCT(", " LIMIT("].contains(where: condition.contains) { continue }
        let opposite = ids(try all.filter("NOT (\(text))"))
        let isWhole = found.isDisjoint(with: opposite) && found.count + opposite.count == 40
        #expect(isWhole, "\(random) \(text)")
      }
    }
  }

  @Test func invalidPredicatesThrowWithClassAndPosition() throws {
    try withTemporaryRealm { realm, _ in
      let all = realm.objects(Breeder.self)
      for text in try corpus().bad {
        let error = thrownError { try all.filter(text) }
        #expect(error?.code == .invalidInput || error?.code == .unknownProperty, "\(text)")
        #expect(error?.className != nil && error?.description.contains("^") == true, "\(text)")
      }
    }
  }

  /// Randomly combined and damaged texts: each throws, or matches the complement of its negation.
  @Test func randomPredicatesAreEvaluatedOrThrow() throws {
    let seconds = ProcessInfo.processInfo.environment["VARVE_FUZZ_SECONDS"].flatMap(Double.init)
    let end = Date(timeIntervalSinceNow: seconds ?? 2)
    var random = SeededRandom()
    let texts = try corpus().good.map(\.text) + corpus().bad
    try withTemporaryRealm { realm, _ in
      try BreederFixture.add(20, to: realm, &random)
      let all = realm.objects(Breeder.self)
      var (answered, refused) = (0, 0)
      while Date() < end || answered < 20 {
        let text = Self.mutated(texts, &random)
        guard let found = try? all.filter(text) else {
          refused += 1
          continue
        }
        answered += 1
        // With a suffix the negation is not a valid predicate.
        guard let opposite = try? all.filter("NOT (\(text))") else { continue }
        #expect(found.count + opposite.count == 20, "\(random) \(text)")
        #expect(ids(found).isDisjoint(with: ids(opposite)), "\(random) \(text)")
      }
      #expect(refused > 0, "\(random)")
    }
  }

  private static func mutated(_ texts: [String], _ random: inout SeededRandom) -> String {
    var text = texts[random.int(0...texts.count - 1)]
    for _ in 0..<random.int(0...2) {
      let other = texts[random.int(0...texts.count - 1)]
      text =
        switch random.int(0...5) {
        case 0: "(\(text)) AND \(other)"
        case 1: "\(text) OR (\(other))"
        case 2: "NOT \(text)"
        case 3: text.replacingOccurrences(of: "age", with: "name")
        case 4: String(text.prefix(random.int(0...text.count)) + other.suffix(6))
        default:
          text.replacingOccurrences(
            of: "1", with: ["-0.0", "9e99", "NULL", "'1'"][random.int(0...3)])
        }
    }
    return text
  }
}
