import BenchmarkKit
import Varve

/// Queries as users write them. Each query creates new results.
struct VarveQueryReader: QueryReader {
  let realm: Realm
  let isIndexed: Bool

  func sumOfAges() throws -> Int {
    isIndexed
      ? realm.objects(IndexedPerson.self).sum(of: \.age)
      : realm.objects(StoredPerson.self).sum(of: \.age)
  }

  func countPersons(olderThan age: Int) throws -> Int {
    isIndexed
      ? realm.objects(IndexedPerson.self).where { $0.age > age }.count
      : realm.objects(StoredPerson.self).where { $0.age > age }.count
  }

  func countPersons(ofAge age: Int) throws -> Int {
    isIndexed
      ? realm.objects(IndexedPerson.self).where { $0.age == age }.count
      : realm.objects(StoredPerson.self).where { $0.age == age }.count
  }

  func countPersons(beginningWith prefixes: [String]) throws -> Int {
    isIndexed
      ? realm.objects(IndexedPerson.self).where { Self.begins($0.name, prefixes) }.count
      : realm.objects(StoredPerson.self).where { Self.begins($0.name, prefixes) }.count
  }

  private static func begins(_ name: Query<String>, _ prefixes: [String]) -> Query<Bool> {
    prefixes.dropFirst().reduce(name.starts(with: prefixes[0])) { $0 || name.starts(with: $1) }
  }

  func countPersons(named names: [String]) throws -> Int {
    isIndexed
      ? realm.objects(IndexedPerson.self).where { $0.name.in(names) }.count
      : realm.objects(StoredPerson.self).where { $0.name.in(names) }.count
  }

  func idsOfLowestScores(_ count: Int) throws -> [Int] {
    isIndexed
      ? realm.objects(IndexedPerson.self).sorted(by: \.score).prefix(count).map(\.id)
      : realm.objects(StoredPerson.self).sorted(by: \.score).prefix(count).map(\.id)
  }
}
