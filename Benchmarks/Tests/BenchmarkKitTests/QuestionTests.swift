import Testing

@testable import BenchmarkKit

@Suite struct QuestionTests {
  @Test func aGroupStandsForAllThatBeginSo() {
    #expect(Workload.selected(by: "W2") == [.lookUp])
    #expect(Workload.selected(by: "W9") == [.observeProcess, .observeProcessAtRest])
    #expect(Workload.selected(by: "diff") == [.compareOne, .compareNone])
    #expect(Workload.selected(by: "W3").first == .iterate)
    #expect(Workload.selected(by: "W3").count == 12)
    #expect(Workload.selected(by: "W6").count == 5)
    #expect(Workload.selected(by: "W").isEmpty)
  }

  @Test func queriesAskOfTheClassThatTheirNameTells() {
    #expect(!Workload.countOlder.asksIndexed)
    #expect(Workload.countOlderIndexed.asksIndexed)
    #expect(Workload.allCases.allSatisfy { !$0.rawValue.hasSuffix("-indexed") || $0.asksIndexed })
  }

  @Test func answersHaveTheSizesTheyAreToldToHave() {
    let persons = 50_000
    let older = Expected.count(persons) { $0.age > QuestionInputs.age }
    #expect((23_500...25_500).contains(older))
    let ofAge = Expected.count(persons) { $0.age == QuestionInputs.commonAge }
    #expect((400...600).contains(ofAge))
    let beginning = Expected.count(persons, beginningWith: QuestionInputs.prefixes)
    #expect((500...670).contains(beginning))
  }

  @Test func theLowestScoresComeFirst() {
    let ids = Expected.idsOfLowestScores(100, of: 1000)
    #expect(Set(ids).count == 100)
    let scores = ids.map { Person(id: $0).score }
    #expect(scores == scores.sorted())
    let others = Set(0..<1000).subtracting(ids)
    #expect(others.allSatisfy { Person(id: $0).score >= scores[99] })
  }
}
