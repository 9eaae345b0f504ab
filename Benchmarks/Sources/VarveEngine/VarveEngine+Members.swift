package import BenchmarkKit
import Varve

extension VarveEngine: MemberEngine {
  package func insertMembers(_ count: Int) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let members = (0..<count).map { Member(id: $0, of: count) }
      let stored = members.map(StoredMember.init)
      for member in stored { realm.add(member) }
      for member in members { stored[member.id].mentor = stored[member.mentor] }
    }
  }

  package func readMembers(_ body: (any MemberReader) throws -> Void) throws {
    try body(VarveMembers(realm: try Realm(configuration: configuration)))
  }

  package func writeMembers(_ body: (any MemberWriter) throws -> Void) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      try body(VarveMembers(realm: realm))
      realm.cancelWrite()
    }
  }
}

/// Queries as users write them. Each query creates new results.
private struct VarveMembers: MemberWriter {
  let realm: Realm

  private var all: Results<StoredMember> { realm.objects(StoredMember.self) }

  private func member(_ id: Int) -> StoredMember? {
    realm.object(ofType: StoredMember.self, forPrimaryKey: id)
  }

  func change(_ member: Member) throws {
    guard let stored = self.member(member.id) else { return }
    stored.assign(member)
    stored.mentor = self.member(member.mentor)
  }

  func answer(_ question: MemberQuestion) throws -> [Int] {
    switch question {
    case .readAges:
      var (count, sum) = (0, 0)
      for member in all {
        count += 1
        sum += member.plainAge
      }
      return [count, sum]
    case .sumOfAges: return [all.sum(of: \.plainAge)]
    case .olderCount(let age, let isIndexed):
      return [(isIndexed ? all.where { $0.age > age } : all.where { $0.plainAge > age }).count]
    case .agedCount(let age, let isIndexed):
      return [(isIndexed ? all.where { $0.age == age } : all.where { $0.plainAge == age }).count]
    case .prefixedCount(let prefixes, let isIndexed):
      return [
        (isIndexed
          ? all.where { Self.begins($0.name, prefixes) }
          : all.where { Self.begins($0.plainName, prefixes) }).count
      ]
    case .namedCount(let names): return [all.where { $0.name.in(names) }.count]
    case .greatestScore(let isIndexed):
      return (isIndexed ? all.max(of: \.score) : all.max(of: \.plainScore)).map { [Int($0)] } ?? []
    case .greatestID: return all.max(of: \.id).map { [$0] } ?? []
    case .lowest, .highest, .last, .rangeInOrder, .page, .filteredPage:
      return sorted(question).map(\.id)
    case .member(let id): return member(id).map { [$0.age] } ?? []
    case .coded(let code): return all.where { $0.code == code }.map(\.id)
    case .students(let id): return member(id)?.students.map(\.id).sorted() ?? []
    case .withWords(let words):
      return [all.where { $0.words.fullTextSearch(words.joined(separator: " ")) }.count]
    case .plan(let age):
      let plan = try all.filter("age > %@ AND name BEGINSWITH 'a7'", age).explain()
      return [plan.steps.isEmpty ? 0 : 1]
    }
  }

  /// The objects in an order.
  private func sorted(_ question: MemberQuestion) -> [StoredMember] {
    let length = MemberQuestion.pageLength
    switch question {
    case .lowest(let limit, true): return Array(all.sorted(by: \.score).limit(limit))
    case .lowest(let limit, false): return Array(all.sorted(by: \.plainScore).limit(limit))
    case .highest: return all.sorted(by: \.score, ascending: false).first.map { [$0] } ?? []
    case .last: return all.sorted(by: \.id, ascending: false).first.map { [$0] } ?? []
    case .rangeInOrder(let score):
      return Array(all.where { $0.score >= score }.sorted(by: \.score).limit(length))
    case .page(let id):
      return member(id).map { Array(all.sorted(by: \.score).page(after: $0, count: length)) } ?? []
    case .filteredPage(let age):
      return Array(
        all.where { $0.age == age }.sorted(by: \.score, ascending: false).limit(length))
    default: return []
    }
  }

  private static func begins(_ name: Query<String>, _ prefixes: [String]) -> Query<Bool> {
    prefixes.dropFirst().reduce(name.starts(with: prefixes[0])) { $0 || name.starts(with: $1) }
  }
}
