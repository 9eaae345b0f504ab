import Testing

@testable import BenchmarkKit

@Suite struct ExpectedTests {
  @Test func answersHaveDocumentedSizes() {
    let persons = 50_000
    let older = Expected.count(persons) { $0.age > QuestionInputs.age }
    #expect((23_500...25_500).contains(older))
    let ofAge = Expected.count(persons) { $0.age == QuestionInputs.commonAge }
    #expect((400...600).contains(ofAge))
    let beginning = Expected.count(persons, beginningWith: QuestionInputs.prefixes)
    #expect((500...670).contains(beginning))
    let prefix = QuestionInputs.titlePrefix
    #expect(Expected.sumOfRevisions(Array(0..<100_000), beginningWith: prefix) == 11_111)
  }

  @Test func lowestScoresAreFirst() {
    let ids = Expected.idsOfLowestScores(100, of: 1000)
    #expect(Set(ids).count == 100)
    let scores = ids.map { Person(id: $0).score }
    #expect(scores == scores.sorted())
    let others = Set(0..<1000).subtracting(ids)
    #expect(others.allSatisfy { Person(id: $0).score >= scores[99] })
  }

  @Test func listChecksumDependsOnOrder() {
    #expect(Expected.list([1, 2, 3]) != Expected.list([3, 2, 1]))
    #expect(Expected.list([0, 0]) != Expected.list([0]))
  }
}
