package import BenchmarkKit
import GRDB

extension GRDBRawEngine: FreezingEngine {
  /// GRDB's equivalent of a version is a snapshot: a separate connection, which has no cached
  /// statements yet.
  package func freezeAndReadAge(ofPerson id: Int) throws -> Int {
    try pool.makeSnapshot().read { db in
      try Int.fetchOne(db, sql: "SELECT age FROM person WHERE id = ?", arguments: [id]) ?? -1
    }
  }
}

/// A row of the persons, as fetched for an observer.
private struct ObservedPerson: Sendable {
  var id: Int
  var name: String
  var age: Int
  var score: Double
  var created: Double

  static func fetchAll(_ db: Database, _ rest: String = "") throws -> [ObservedPerson] {
    let statement = try db.cachedStatement(
      sql: "SELECT id, name, age, score, created FROM person \(rest)")
    var persons: [ObservedPerson] = []
    let rows = try Row.fetchCursor(statement)
    while let row = try rows.next() {
      persons.append(
        ObservedPerson(id: row[0], name: row[1], age: row[2], score: row[3], created: row[4]))
    }
    return persons
  }
}

/// An entry of the dictionary, as fetched for an observer.
private struct ObservedEntry: Sendable {
  var key: String
  var value: Int

  static func fetchAll(_ db: Database) throws -> [ObservedEntry] {
    var entries: [ObservedEntry] = []
    let rows = try Row.fetchCursor(db.cachedStatement(sql: "SELECT key, value FROM map"))
    while let row = try rows.next() {
      entries.append(ObservedEntry(key: row[0], value: row[1]))
    }
    return entries
  }
}

extension GRDBRawEngine: ObservingEngine {
  package func observe(_ collection: ObservedCollection) throws -> any Observation {
    let rest: String
    switch collection {
    case .all: rest = ""
    case .filtered: rest = "WHERE age >= 50"
    case .sorted: rest = "ORDER BY score"
    case .list: throw NotOffered("the list does not support insertion")
    case .map:
      return try GRDBObservation(
        pool, .trackingConstantRegion { try ObservedEntry.fetchAll($0) },
        weight: { Double($0.value) }, apply: Self.apply)
    }
    return try GRDBObservation(
      pool, .trackingConstantRegion { try ObservedPerson.fetchAll($0, rest) },
      weight: { $0.score }, apply: Self.apply)
  }

  private static func apply(_ db: Database, _ change: CollectionChange) throws {
    switch change {
    case .persons(let raised, let deleted, let inserted):
      let raise = try db.cachedStatement(sql: "UPDATE person SET score = score + ? WHERE id = ?")
      for id in raised {
        raise.setUncheckedArguments([ObservedCollection.raise, id])
        try raise.execute()
      }
      let deletion = try db.cachedStatement(sql: "DELETE FROM person WHERE id = ?")
      deletion.setUncheckedArguments([deleted])
      try deletion.execute()
      try PersonInsertion(db, table: "person").insert(inserted)
    case .list: throw NotOffered("the list does not support insertion")
    case .map(let key, let value):
      let statement = try db.cachedStatement(
        sql: "INSERT OR REPLACE INTO map (key, value) VALUES (?, ?)")
      statement.setUncheckedArguments([key, value])
      try statement.execute()
      // SQLite does not report changes to a table without rowids; GRDB has this call for such
      // tables.
      try db.notifyChanges(in: Table("map"))
    }
  }
}
