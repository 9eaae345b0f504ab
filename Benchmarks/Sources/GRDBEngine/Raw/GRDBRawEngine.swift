package import BenchmarkKit
package import Foundation
import GRDB

/// GRDB without records: SQL, cached statements with unchecked arguments, and columns by index.
/// Only GRDB's pool and statements are used.
package struct GRDBRawEngine: PersonEngine {
  package static let name = "grdb-raw"

  let pool: DatabasePool

  package init(directory: URL, durability: Durability) throws {
    pool = try GRDBStore.openPool(directory, durability, created: .double, textUpdates: .ofText)
  }

  package func writeBack() throws { try pool.emptyLog() }

  package func close() throws { try pool.close() }

  package func insertPersons(_ ids: Range<Int>, perTransaction: Int) throws {
    try pool.inTransactions(ids, perTransaction) { db, ids in
      let insertion = try PersonInsertion(db, table: "person")
      for id in ids { try insertion.insert(Person(id: id)) }
    }
  }

  package func insertPersonsConcurrently(_ count: Int, writers: Int) throws {
    try ConcurrentTasks.run(writers) { [pool] writer in
      for id in stride(from: writer, to: count, by: writers) {
        try await pool.write { db in
          try PersonInsertion(db, table: "person").insert(Person(id: id))
        }
      }
    }
  }

  package func setAge(ofPerson id: Int, to age: Int) throws {
    try pool.write { db in
      let statement = try db.cachedStatement(sql: "UPDATE person SET age = ? WHERE id = ?")
      statement.setUncheckedArguments([age, id])
      try statement.execute()
    }
  }

  package func makePersonReader() throws -> any PersonReader { GRDBRawReader(pool: pool) }
}

extension GRDBRawEngine: NamedPersonEngine {
  package func insertNamedPersons(_ count: Int) throws {
    try pool.write { db in
      let statement = try db.cachedStatement(
        sql: "INSERT INTO namedPerson (name, number, age, score, created) VALUES (?, ?, ?, ?, ?)")
      for id in 0..<count {
        let person = Person(id: id)
        statement.setUncheckedArguments([
          person.name, person.id, person.age, person.score, person.created.timeIntervalSince1970,
        ])
        try statement.execute()
      }
    }
  }

  package func makeNamedPersonReader() throws -> any NamedPersonReader {
    GRDBRawReader(pool: pool)
  }
}

/// Inserts into one of the tables of persons.
struct PersonInsertion {
  private let statement: Statement

  init(_ db: Database, table: String) throws {
    statement = try db.cachedStatement(
      sql: "INSERT INTO \(table) (id, name, age, score, created) VALUES (?, ?, ?, ?, ?)")
  }

  func insert(_ person: Person) throws {
    statement.setUncheckedArguments([
      person.id, person.name, person.age, person.score, person.created.timeIntervalSince1970,
    ])
    try statement.execute()
  }
}

/// Each call reads in one transaction.
struct GRDBRawReader {
  let pool: DatabasePool
}

extension GRDBRawReader: PersonReader {
  func lookUp(ids: [Int]) throws -> Checksum {
    try pool.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT name, age, score FROM person WHERE id = ?")
      return try Self.lookUp(ids, by: statement)
    }
  }

  func readAges() throws -> Checksum {
    try pool.read { db in
      var checksum = Checksum()
      let statement = try db.cachedStatement(sql: "SELECT age FROM person")
      let ages = try Int.fetchCursor(statement)
      while let age = try ages.next() { checksum.add(age) }
      return checksum
    }
  }

  func readPerson(_ id: Int) throws -> Person? {
    try pool.read { db in
      let row = try Row.fetchOne(
        db, sql: "SELECT name, age, score, created FROM person WHERE id = ?", arguments: [id])
      return row.map {
        Person(
          id: id, name: $0[0], age: $0[1], score: $0[2],
          created: Date(timeIntervalSince1970: $0[3]))
      }
    }
  }

  /// `fetchOne` would copy the row. The row is valid as long as the cursor, which the loop retains.
  private static func lookUp(
    _ keys: [some DatabaseValueConvertible], by statement: Statement
  ) throws -> Checksum {
    var checksum = Checksum()
    for key in keys {
      statement.setUncheckedArguments([key])
      let rows = try Row.fetchCursor(statement)
      while let row = try rows.next() {
        checksum.add(name: row[0], age: row[1], score: row[2])
      }
    }
    return checksum
  }
}

extension GRDBRawReader: NamedPersonReader {
  func lookUp(names: [String]) throws -> Checksum {
    try pool.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT name, age, score FROM namedPerson WHERE name = ?")
      return try Self.lookUp(names, by: statement)
    }
  }
}
