import BenchmarkKit
import Varve

/// Queries, as a user writes them; each makes results of its own.
extension VarveReader {
  func sumOfAges() throws -> Int {
    realm.objects(StoredPerson.self).sum(of: \.age)
  }

  func countPersons(olderThan age: Int, isIndexed: Bool) throws -> Int {
    isIndexed
      ? realm.objects(IndexedPerson.self).where { $0.age > age }.count
      : realm.objects(StoredPerson.self).where { $0.age > age }.count
  }

  func countPersons(ofAge age: Int, isIndexed: Bool) throws -> Int {
    isIndexed
      ? realm.objects(IndexedPerson.self).where { $0.age == age }.count
      : realm.objects(StoredPerson.self).where { $0.age == age }.count
  }

  func countPersons(beginningWith prefixes: [String], isIndexed: Bool) throws -> Int {
    isIndexed
      ? realm.objects(IndexedPerson.self).where { Self.begins($0.name, prefixes) }.count
      : realm.objects(StoredPerson.self).where { Self.begins($0.name, prefixes) }.count
  }

  private static func begins(_ name: Query<String>, _ prefixes: [String]) -> Query<Bool> {
    prefixes.dropFirst().reduce(name.starts(with: prefixes[0])) { $0 || name.starts(with: $1) }
  }

  func countPersons(named names: [String]) throws -> Int {
    realm.objects(IndexedPerson.self).where { $0.name.in(names) }.count
  }

  func idsOfLowestScores(_ count: Int, isIndexed: Bool) throws -> [Int] {
    isIndexed
      ? realm.objects(IndexedPerson.self).sorted(by: \.score).prefix(count).map(\.id)
      : realm.objects(StoredPerson.self).sorted(by: \.score).prefix(count).map(\.id)
  }

  func plan(times: Int) throws -> Int {
    let persons = realm.objects(IndexedPerson.self)
    var planned = 0
    for _ in 0..<times {
      let plan = persons.filter("age > 50 AND name BEGINSWITH 'user12'").explain()
      if !plan.steps.isEmpty, !plan.scansClass { planned += 1 }
    }
    return planned
  }
}
