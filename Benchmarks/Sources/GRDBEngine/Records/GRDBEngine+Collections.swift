package import BenchmarkKit
import GRDB

extension GRDBEngine: ListEngine, MapEngine {
  package func appendToList(_ count: Int) throws {
    try pool.write { db in
      let end = try ListRecord.select(max(Column("position")), as: Int.self).fetchOne(db) ?? -1
      for number in 0..<count {
        try ListRecord(position: end + 1 + number, value: number).insert(db)
      }
    }
  }

  package func insertIntoList(_: [(element: Int, index: Int)]) throws {
    throw NotOffered("all later positions would have to be renumbered")
  }

  package func removeFromList(at _: [Int]) throws {
    throw NotOffered("all later positions would have to be renumbered")
  }

  package func makeListReader() throws -> any ListReader { GRDBReader(pool: pool) }

  package func insertIntoMap(_ keys: [String]) throws {
    try pool.write { db in
      for (number, key) in keys.enumerated() { try MapRecord(key: key, value: number).insert(db) }
    }
  }

  package func makeMapReader() throws -> any MapReader { GRDBReader(pool: pool) }
}

extension GRDBReader: ListReader, MapReader {
  func readList(at indexes: [Int]) throws -> Checksum {
    try pool.read { db in
      var checksum = Checksum()
      for index in indexes {
        guard let element = try ListRecord.fetchOne(db, key: index) else { continue }
        checksum.add(next: element.value)
      }
      return checksum
    }
  }

  func readMap(keys: [String]) throws -> Checksum {
    try pool.read { db in
      var checksum = Checksum()
      for key in keys {
        guard let entry = try MapRecord.fetchOne(db, key: key) else { continue }
        checksum.add(next: entry.value)
      }
      return checksum
    }
  }

  func readWholeMap() throws -> Checksum {
    try pool.read { db in
      var checksum = Checksum()
      let entries = try MapRecord.fetchCursor(db)
      while let entry = try entries.next() { checksum.add(key: entry.key, value: entry.value) }
      return checksum
    }
  }
}
