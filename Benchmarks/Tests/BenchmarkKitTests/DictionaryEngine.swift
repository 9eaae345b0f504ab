import BenchmarkKit
import Foundation
import Synchronization

/// An engine in memory that answers right, or wrong if it is told to.
final class DictionaryEngine: Engine {
  struct Contents {
    var persons: [Int: Person] = [:]
    var list: [Int] = []
    var map: [String: Int] = [:]
  }

  class var name: String { "dictionary" }

  let contents = Mutex(Contents())
  let file: URL

  required init(directory: URL) throws {
    file = directory.appendingPathComponent("data")
  }

  func insertPersons(count: Int) throws {
    contents.withLock { contents in
      for id in 0..<count { contents.persons[id] = Person(id: id) }
    }
    try Data(count: 10_000).write(to: file)
  }

  func insertIndexedPersons(count: Int) throws { try insertPersons(count: count) }

  func makeReader() throws -> any EngineReader { Reader(contents: contents.withLock { $0 }) }

  func openViews(count: Int, persons: Int) throws -> Int {
    contents.withLock { $0.persons.count } == persons ? count : 0
  }

  func appendToList(count: Int) throws {
    contents.withLock { $0.list.append(contentsOf: 0..<count) }
  }

  func insertIntoMap(keys: [String]) throws {
    contents.withLock { contents in
      for (number, key) in keys.enumerated() { contents.map[key] = number }
    }
  }

  func observe(
    _ collection: ObservedCollection, commits: Int, count: Int
  ) throws -> [ObservedCommit] {
    let (old, new) = collection.changes
    return (0..<commits).map { commit in
      ObservedCommit(seconds: Double(commit) / 1000, oldChanges: old, newChanges: new)
    }
  }

  func commit(_ count: Int, pause: Duration, isDurable: Bool) throws -> [TimedCommit] {
    (0..<count).map { TimedCommit(began: Double($0), returned: Double($0) + 0.5) }
  }

  /// Hears of every second commit, and of the last.
  func listen(upTo last: Int, while work: () throws -> Void) throws -> [HeardNumber] {
    try work()
    return (1...last).filter { $0 % 2 == 0 || $0 == last }
      .map { HeardNumber(number: $0, time: Double($0)) }
  }

  func grow(commits count: Int, isObserved: Bool, isDurable: Bool) throws -> Int {
    isObserved ? 12_288 : 8192
  }

  func compare(isChanged: Bool, count: Int, times: Int) throws -> [ComparedVersions] {
    (0..<times).map { ComparedVersions(seconds: Double($0) / 1000, differing: isChanged ? 1 : 0) }
  }

  func migrate() throws {}

  func readMigratedAges() throws -> Checksum { try makeReader().readAges() }

  func updatePersons(count: Int, onlyDifferences: Bool) throws {
    contents.withLock { contents in
      for id in 0..<count { contents.persons[id] = Person.updated(id: id) }
    }
  }

  func exportText() throws {}

  func importText() throws {}

  func readImportedAges() throws -> Checksum { try makeReader().readAges() }

  func close() throws {}

  struct Reader: EngineReader {
    let contents: Contents

    func lookUp(ids: [Int]) throws -> Checksum {
      var checksum = Checksum()
      for person in ids.compactMap({ contents.persons[$0] }) {
        checksum.add(name: person.name, age: person.age, score: person.score)
      }
      return checksum
    }

    func readAges() throws -> Checksum {
      var checksum = Checksum()
      for person in contents.persons.values { checksum.add(person.age) }
      return checksum
    }

    func readList(at indexes: [Int]) throws -> Checksum {
      var checksum = Checksum()
      for index in indexes { checksum.add(contents.list[index]) }
      return checksum
    }

    func readMap(keys: [String]) throws -> Checksum {
      var checksum = Checksum()
      for number in keys.compactMap({ contents.map[$0] }) { checksum.add(number) }
      return checksum
    }
  }
}
