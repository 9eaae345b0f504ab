import Testing

@testable import BenchmarkKit

@Suite struct MemberModelTests {
  private let model = MemberModel(count: 5000)

  @Test func membersHaveDistinctUniqueValues() {
    var changed = model
    let members = model.members + (0..<5000).map { _ in changed.change() }
    #expect(Set(members.map(\.code)).count == 10_000)
    #expect(Set(members.map(\.score)).count == 10_000)
    #expect(members.allSatisfy { $0.name == $0.plainName && $0.age == $0.plainAge })
    #expect(members.allSatisfy { $0.score == $0.plainScore && $0.score < Double(1 << 52) })
    #expect(members.allSatisfy { $0.mentor < 500 })
  }

  @Test func firstHundredChangesAreSpreadOverTable() {
    var changed = model
    let ids = (0..<100).map { _ in changed.change().id }
    #expect(ids == (0..<100).map { $0 * 50 })
    #expect(changed.members.indices.filter { changed.members[$0] != model.members[$0] } == ids)
    for _ in 0..<100 { #expect(model.members.indices.contains(changed.change().id)) }
  }

  @Test func ordersAgreeWithSort() {
    let sorted = model.members.sorted { $0.score < $1.score }
    #expect(model.answer(.lowest(100, isIndexed: true)) == sorted.prefix(100).map(\.id))
    #expect(model.answer(.highest) == sorted.suffix(1).map(\.id))
    #expect(
      model.answer(.greatestScore(isIndexed: false)) == sorted.suffix(1).map { Int($0.score) })
    #expect(model.answer(.page(after: sorted[30].id)) == sorted[31..<51].map(\.id))
    #expect(model.answer(.rangeInOrder(sorted[40].score)) == sorted[40..<60].map(\.id))
    #expect(
      model.answer(.filteredPage(age: 42))
        == sorted.reversed().filter { $0.age == 42 }.prefix(20).map(\.id))
  }

  @Test func lookupsFindMember() {
    #expect(model.answer(.coded(model.members[77].code)) == [77])
    #expect(model.answer(.member(id: 77)) == [model.members[77].age])
    #expect(model.answer(.greatestID) == [4999] && model.answer(.last) == [4999])
    let words = model.members[77].words.split(separator: " ").map(String.init)
    let having = model.members.filter { $0.words.contains(words[0]) && $0.words.contains(words[1]) }
    #expect(model.answer(.withWords(Array(words.prefix(2)))) == [having.count])
    #expect((0..<500).flatMap { model.answer(.students(of: $0)) }.sorted() == Array(0..<5000))
  }
}
