import GRDB

/// The tables of objects with small collections.
extension GRDBStore {
  /// The elements and entries are trees of the owner's id with the position or key, as SQLite
  /// recommends for short rows. There are no foreign keys, whose checks would take time.
  static func createSmallCollections(_ db: Database) throws {
    try db.create(table: "smallList") { table in
      table.primaryKey("id", .integer)
    }
    try db.create(table: "smallListElement", options: .withoutRowID) { table in
      table.primaryKey {
        table.column("owner", .integer)
        table.column("position", .integer)
      }
      table.column("value", .text).notNull()
    }
    try db.create(table: "smallMap") { table in
      table.primaryKey("id", .integer)
    }
    try db.create(table: "smallMapEntry", options: .withoutRowID) { table in
      table.primaryKey {
        table.column("owner", .integer)
        table.column("key", .text)
      }
      table.column("value", .integer).notNull()
    }
  }
}

extension DatabasePool {
  /// All small lists, in the order of the ids.
  func smallLists() throws -> [[String]] {
    try read { db in
      var lists: [Int: [String]] = [:]
      for id in try Int.fetchAll(db, sql: "SELECT id FROM smallList") { lists[id] = [] }
      let elements = try Row.fetchCursor(
        db, sql: "SELECT owner, value FROM smallListElement ORDER BY owner, position")
      while let element = try elements.next() { lists[element[0]]?.append(element[1]) }
      return lists.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// All small dictionaries, in the order of the ids.
  func smallMaps() throws -> [[String: Int]] {
    try read { db in
      var maps: [Int: [String: Int]] = [:]
      for id in try Int.fetchAll(db, sql: "SELECT id FROM smallMap") { maps[id] = [:] }
      let entries = try Row.fetchCursor(db, sql: "SELECT owner, key, value FROM smallMapEntry")
      while let entry = try entries.next() { maps[entry[0]]?[entry[1]] = entry[2] }
      return maps.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}
