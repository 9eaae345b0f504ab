import Testing

@testable import BenchmarkKit

@Suite struct PersonTests {
  @Test func namesAreDistinctAndHaveSixteenBytes() {
    let names = (0..<10_000).map { Person(id: $0).name }
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0.utf8.count == 16 })
    #expect(Person.name(0x0123_4567_89AB_CDEF) == "0123456789abcdef")
  }

  @Test func agesAreInRangeAndScoresAddUpExactly() {
    let people = (0..<10_000).map { Person(id: $0) }
    #expect(people.allSatisfy { (0..<100).contains($0.age) })
    let scores = people.map(\.score)
    #expect(scores.reduce(0, +) == scores.reversed().reduce(0, +))
  }

  @Test func personsAreSameInEveryRun() {
    #expect(Person(id: 7) == Person(id: 7))
    #expect(Person(id: 0).name == "5692161d100b05e5")
  }
}
