@testable import BenchmarkKit

/// Queries, answered by looking at each person.
extension DictionaryEngine.Reader {
  func sumOfAges() throws -> Int { contents.persons.values.reduce(0) { $0 + $1.age } }

  func countPersons(olderThan age: Int, isIndexed: Bool) throws -> Int {
    contents.persons.values.count { $0.age > age }
  }

  func countPersons(ofAge age: Int, isIndexed: Bool) throws -> Int {
    contents.persons.values.count { $0.age == age }
  }

  func countPersons(beginningWith prefixes: [String], isIndexed: Bool) throws -> Int {
    contents.persons.values.count { person in prefixes.contains { person.name.hasPrefix($0) } }
  }

  func countPersons(named names: [String]) throws -> Int {
    let names = Set(names)
    return contents.persons.values.count { names.contains($0.name) }
  }

  func idsOfLowestScores(_ count: Int, isIndexed: Bool) throws -> [Int] {
    let sorted = contents.persons.values.sorted { ($0.score, $0.id) < ($1.score, $1.id) }
    return sorted.prefix(count).map(\.id)
  }

  func plan(times: Int) throws -> Int { times }
}
