/// A model of the stored members, which answers each query by examining all of them.
package struct MemberModel: Sendable {
  package private(set) var members: [Member]
  private var changes = 0

  package init(count: Int) {
    members = (0..<count).map { Member(id: $0, of: count) }
  }

  /// The next change, with new values for all properties except the id. The first hundred changes
  /// are evenly spread over the table.
  package mutating func change() -> Member {
    let count = members.count
    let id =
      changes < 100
      ? changes * count / 100 : Int(SplitMix.mix(UInt64(changes)) % UInt64(count))
    changes += 1
    let member = Member(id: id, of: count, revision: changes)
    members[id] = member
    return member
  }

  /// Applies a change.
  package mutating func apply(_ member: Member) { members[member.id] = member }

  /// The correct answer. Counts, scores and sums are a single number.
  package func answer(_ question: MemberQuestion) -> [Int] {
    switch question {
    case .readAges: return [members.count, members.reduce(0) { $0 + $1.age }]
    case .sumOfAges: return [members.reduce(0) { $0 + $1.plainAge }]
    case .olderCount(let age, _): return [members.count { $0.age > age }]
    case .agedCount(let age, _): return [members.count { $0.age == age }]
    case .prefixedCount(let prefixes, _):
      return [members.count { member in prefixes.contains { member.name.hasPrefix($0) } }]
    case .namedCount(let names):
      let names = Set(names)
      return [members.count { names.contains($0.name) }]
    case .lowest(let limit, _): return first(limit) { $0.score < $1.score }
    case .highest: return first(1) { $0.score > $1.score }
    case .last, .greatestID: return [members.count - 1]
    case .greatestScore: return members.map { Int($0.score) }.max().map { [$0] } ?? []
    case .rangeInOrder(let score):
      return first(MemberQuestion.pageLength, where: { $0.score >= score }) { $0.score < $1.score }
    case .page(let id):
      let score = members[id].score
      return first(MemberQuestion.pageLength, where: { $0.score > score }) { $0.score < $1.score }
    case .filteredPage(let age):
      return first(MemberQuestion.pageLength, where: { $0.age == age }) { $0.score > $1.score }
    case .member(let id): return [members[id].age]
    case .coded(let code): return members.filter { $0.code == code }.map(\.id)
    case .students(let id): return members.filter { $0.mentor == id }.map(\.id)
    case .withWords(let words):
      return [
        members.count { member in
          let own = member.wordNumbers.map(Issue.word)
          return words.allSatisfy(own.contains)
        }
      ]
    case .plan: return [1]
    }
  }

  private func first(
    _ limit: Int, where isWanted: (Member) -> Bool = { _ in true },
    by precedes: (Member, Member) -> Bool
  ) -> [Int] {
    var first: [Member] = []
    for member in members where isWanted(member) {
      if first.count == limit, let last = first.last, !precedes(member, last) { continue }
      first.insert(member, at: first.firstIndex { precedes(member, $0) } ?? first.count)
      if first.count > limit { first.removeLast() }
    }
    return first.map(\.id)
  }
}
