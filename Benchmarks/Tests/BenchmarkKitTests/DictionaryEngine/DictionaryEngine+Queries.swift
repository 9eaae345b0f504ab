import BenchmarkKit

extension DictionaryEngine: PlanningEngine {
  func insertIndexedPersons(_ count: Int) throws {
    try insertPersons(0..<count, perTransaction: .max)
  }

  func makeQueryReader(isIndexed: Bool) throws -> any QueryReader { reader }

  func plan(times: Int) throws -> Int { Kind.flaw == nil ? times : times - 1 }
}

/// Answers queries by examining each person.
extension DictionaryReader: QueryReader {
  func sumOfAges() throws -> Int { try readAges().integers }

  func countPersons(olderThan age: Int) throws -> Int { count { $0.age > age } }

  func countPersons(ofAge age: Int) throws -> Int { count { $0.age == age } }

  func countPersons(beginningWith prefixes: [String]) throws -> Int {
    count { person in prefixes.contains { person.name.hasPrefix($0) } }
  }

  func countPersons(named names: [String]) throws -> Int {
    let names = Set(names)
    return count { names.contains($0.name) }
  }

  func idsOfLowestScores(_ count: Int) throws -> [Int] {
    let sorted = contents.persons.values.sorted { ($0.score, $0.id) < ($1.score, $1.id) }
    return sorted.prefix(count).map { answer($0.id) }
  }

  private func count(where isWanted: (Person) -> Bool) -> Int {
    answer(contents.persons.values.count(where: isWanted))
  }
}
