package import BenchmarkKit
import GRDB

extension GRDBRawEngine: ListEngine, MapEngine {
  package func appendToList(_ count: Int) throws {
    try pool.write { db in
      let end = try Int.fetchOne(db, sql: "SELECT MAX(position) FROM list") ?? -1
      let statement = try db.cachedStatement(
        sql: "INSERT INTO list (position, value) VALUES (?, ?)")
      for number in 0..<count {
        statement.setUncheckedArguments([end + 1 + number, number])
        try statement.execute()
      }
    }
  }

  package func insertIntoList(_: [(element: Int, index: Int)]) throws {
    throw NotOffered("all later positions would have to be renumbered")
  }

  package func removeFromList(at _: [Int]) throws {
    throw NotOffered("all later positions would have to be renumbered")
  }

  package func makeListReader() throws -> any ListReader { GRDBRawReader(pool: pool) }

  package func insertIntoMap(_ keys: [String]) throws {
    try pool.write { db in
      let statement = try db.cachedStatement(sql: "INSERT INTO map (key, value) VALUES (?, ?)")
      for (number, key) in keys.enumerated() {
        statement.setUncheckedArguments([key, number])
        try statement.execute()
      }
    }
  }

  package func makeMapReader() throws -> any MapReader { GRDBRawReader(pool: pool) }
}

extension GRDBRawReader: ListReader, MapReader {
  func readList(at indexes: [Int]) throws -> Checksum {
    try pool.read { db in
      try Self.values(
        of: indexes, by: db.cachedStatement(sql: "SELECT value FROM list WHERE position = ?"))
    }
  }

  func readMap(keys: [String]) throws -> Checksum {
    try pool.read { db in
      try Self.values(of: keys, by: db.cachedStatement(sql: "SELECT value FROM map WHERE key = ?"))
    }
  }

  func readWholeMap() throws -> Checksum {
    try pool.read { db in
      var checksum = Checksum()
      let entries = try Row.fetchCursor(db.cachedStatement(sql: "SELECT key, value FROM map"))
      while let entry = try entries.next() { checksum.add(key: entry[0], value: entry[1]) }
      return checksum
    }
  }

  private static func values(
    of keys: [some DatabaseValueConvertible], by statement: Statement
  ) throws -> Checksum {
    var checksum = Checksum()
    for key in keys {
      statement.setUncheckedArguments([key])
      if let value = try Int.fetchOne(statement) { checksum.add(next: value) }
    }
    return checksum
  }
}
