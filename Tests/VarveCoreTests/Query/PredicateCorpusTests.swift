import Foundation
import Testing
import VarveTestSupport

@testable import VarveCore

@Suite struct PredicateCorpusTests {
  /// With `VARVE_RECORD_PREDICATES` set, the file is rewritten: review the difference before you
  /// keep it.
  @Test func predicatesGiveRecordedConditionsOrErrors() throws {
    if ProcessInfo.processInfo.environment["VARVE_RECORD_PREDICATES"] != nil { try record() }
    let entries = try PredicateCorpus.entries()
    #expect(entries.count > 300)
    for entry in entries {
      #expect(PredicateCorpus.outcome(of: entry.text) == entry.expected, "\(entry.text)")
    }
  }

  private func record() throws {
    var lines: [String] = []
    for line in try String(contentsOf: PredicateCorpus.url, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("= ") || line.hasPrefix("! ") { continue }
      lines.append(String(line))
      if line.hasPrefix("> ") {
        lines += PredicateCorpus.outcome(of: String(line.dropFirst(2)))
      }
    }
    try lines.joined(separator: "\n")
      .write(to: PredicateCorpus.url, atomically: true, encoding: .utf8)
  }

  @Test func conditionDescriptionsParseBackToEqualConditions() throws {
    for entry in try PredicateCorpus.entries() where entry.expected[0].hasPrefix("= ") {
      let condition = try PredicateCorpus.read(entry.text).condition
      let again = try PredicateCorpus.read(condition.description).condition
      #expect(condition == again, "\(entry.text): \(condition), \(again)")
    }
  }

  @Test func errorsHavePositionAndClassName() throws {
    for entry in try PredicateCorpus.entries() where entry.expected[0].hasPrefix("! ") {
      do throws(TextPredicateError) {
        _ = try PredicateCorpus.read(entry.text)
      } catch {
        for error in [error] + error.others {
          #expect((0...entry.text.count).contains(error.position), "\(entry.text)")
          #expect(error.excerpt(in: entry.text).count == 2)
        }
        let failure = error.failure(in: entry.text, className: "Breeder")
        #expect(failure.className != nil && failure.details.contains { $0.hasSuffix("^") })
      }
    }
  }
}
