import BenchmarkKit

/// Reads and decodes the file of each requested person. A query reads the files of all persons.
struct FilesPersonReader {
  let persons: JSONFileReader<Person>
}

extension FilesPersonReader: PersonReader {
  func lookUp(ids: [Int]) throws -> Checksum {
    var checksum = Checksum()
    for id in ids {
      if let person = try persons.read(FileLocation(id)) { checksum.add(person) }
    }
    return checksum
  }

  func readAges() throws -> Checksum {
    var checksum = Checksum()
    try persons.readAll { checksum.add($0.age) }
    return checksum
  }
}

extension FilesPersonReader {
  func readPerson(_ id: Int) throws -> Person? { try persons.read(FileLocation(id)) }
}

extension FilesPersonReader: NamedPersonReader {
  func lookUp(names: [String]) throws -> Checksum {
    var checksum = Checksum()
    for name in names {
      if let person = try persons.read(FileLocation(name)) { checksum.add(person) }
    }
    return checksum
  }
}

extension FilesPersonReader: QueryReader {
  func sumOfAges() throws -> Int { try readAges().integers }

  func countPersons(olderThan age: Int) throws -> Int { try count { $0.age > age } }

  func countPersons(ofAge age: Int) throws -> Int { try count { $0.age == age } }

  func countPersons(beginningWith prefixes: [String]) throws -> Int {
    try count { person in prefixes.contains { person.name.hasPrefix($0) } }
  }

  func countPersons(named names: [String]) throws -> Int {
    let names = Set(names)
    return try count { names.contains($0.name) }
  }

  func idsOfLowestScores(_ count: Int) throws -> [Int] {
    var scores: [(score: Double, id: Int)] = []
    try persons.readAll { scores.append(($0.score, $0.id)) }
    scores.sort { ($0.score, $0.id) < ($1.score, $1.id) }
    return scores.prefix(count).map(\.id)
  }

  private func count(where isWanted: (Person) -> Bool) throws -> Int {
    var count = 0
    try persons.readAll { if isWanted($0) { count += 1 } }
    return count
  }
}
