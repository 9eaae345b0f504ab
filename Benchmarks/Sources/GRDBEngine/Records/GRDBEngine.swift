package import BenchmarkKit
package import Foundation
import GRDB

/// GRDB with Codable records and its query interface, as its README and guides recommend.
package struct GRDBEngine: PersonEngine {
  package static let name = "grdb"

  let pool: DatabasePool

  package init(directory: URL, durability: Durability) throws {
    pool = try GRDBStore.openPool(directory, durability, created: .datetime, textUpdates: .ofRow)
  }

  package func writeBack() throws { try pool.emptyLog() }

  package func close() throws { try pool.close() }

  package func insertPersons(_ ids: Range<Int>, perTransaction: Int) throws {
    try pool.inTransactions(ids, perTransaction) { db, ids in
      for id in ids { try PersonRecord(Person(id: id)).insert(db) }
    }
  }

  package func insertPersonsConcurrently(_ count: Int, writers: Int) throws {
    try ConcurrentTasks.run(writers) { [pool] writer in
      for id in stride(from: writer, to: count, by: writers) {
        try await pool.write { try PersonRecord(Person(id: id)).insert($0) }
      }
    }
  }

  /// Updates the row without fetching the record first.
  package func setAge(ofPerson id: Int, to age: Int) throws {
    _ = try pool.write { db in
      try PersonRecord.filter(key: id).updateAll(db, PersonColumns.age.set(to: age))
    }
  }

  package func makePersonReader() throws -> any PersonReader { GRDBReader(pool: pool) }
}

extension GRDBEngine: NamedPersonEngine {
  package func insertNamedPersons(_ count: Int) throws {
    try pool.write { db in
      for id in 0..<count { try NamedPersonRecord(Person(id: id)).insert(db) }
    }
  }

  package func makeNamedPersonReader() throws -> any NamedPersonReader { GRDBReader(pool: pool) }
}

/// Each call reads in one transaction. Records are fetched completely, as in ordinary use.
struct GRDBReader {
  let pool: DatabasePool
}

extension GRDBReader: PersonReader {
  func lookUp(ids: [Int]) throws -> Checksum {
    try pool.read { db in
      var checksum = Checksum()
      for id in ids {
        guard let person = try PersonRecord.fetchOne(db, key: id) else { continue }
        checksum.add(name: person.name, age: person.age, score: person.score)
      }
      return checksum
    }
  }

  func readAges() throws -> Checksum {
    try pool.read { db in
      var checksum = Checksum()
      let persons = try PersonRecord.fetchCursor(db)
      while let person = try persons.next() { checksum.add(person.age) }
      return checksum
    }
  }
}

extension GRDBReader {
  func readPerson(_ id: Int) throws -> Person? {
    try pool.read { try PersonRecord.fetchOne($0, key: id) }.map {
      Person(id: $0.id, name: $0.name, age: $0.age, score: $0.score, created: $0.created)
    }
  }
}

extension GRDBReader: NamedPersonReader {
  func lookUp(names: [String]) throws -> Checksum {
    try pool.read { db in
      var checksum = Checksum()
      for name in names {
        guard let person = try NamedPersonRecord.fetchOne(db, key: name) else { continue }
        checksum.add(name: person.name, age: person.age, score: person.score)
      }
      return checksum
    }
  }
}
