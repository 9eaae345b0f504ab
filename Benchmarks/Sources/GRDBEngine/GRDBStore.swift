import BenchmarkKit
import Foundation
import GRDB

/// The store of both engines: a pool of connections to one SQLite database, and its tables.
///
/// GRDB's defaults are used with three exceptions: commits are synchronized as the workload
/// requires (GRDB's `NORMAL` waits for the disk only at checkpoints); a connection that finds the
/// database locked by another process waits; and there may be ten readers, since ten threads read
/// concurrently.
enum GRDBStore {
  /// Opens the pool in WAL mode, like all pools, and creates missing tables.
  ///
  /// - Parameters:
  ///   - directory: The directory of the files.
  ///   - durability: The guarantee of a commit.
  ///   - created: The type of the date column, which the two engines store in different ways.
  ///   - textUpdates: The way in which changes of a row update the full-text index.
  /// - Throws: `DatabaseError`.
  static func openPool(
    _ directory: URL, _ durability: Durability, created: Database.ColumnType,
    textUpdates: TextUpdates
  ) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.busyMode = .timeout(60)
    configuration.maximumReaderCount = 10
    let pool = try DatabasePool(
      path: directory.appendingPathComponent("bench.sqlite").path, configuration: configuration)
    // Not in `prepareDatabase`: the pool sets NORMAL after that. The committing connection, that
    // is, the writer, makes the checkpoints.
    try pool.writeWithoutTransaction { db in
      switch durability {
      case .full: try db.execute(sql: "PRAGMA synchronous = FULL")
      case .none: try db.execute(sql: "PRAGMA synchronous = OFF")
      }
    }
    var migrator = DatabaseMigrator()
    migrator.registerMigration("tables") { db in
      try createTables(db, created)
      try createIssues(db, created, textUpdates)
      try createMembers(db)
      try createNotes(db)
      try createSmallCollections(db)
    }
    try migrator.migrate(pool)
    return pool
  }

  /// Tables with integer keys use them as rowids. Persons by name and the dictionary are trees of
  /// their keys, as SQLite recommends for short rows. Pages have long rows, and therefore a rowid
  /// and an index of their paths.
  private static func createTables(_ db: Database, _ created: Database.ColumnType) throws {
    for name in ["person", "indexedPerson"] {
      try db.create(table: name) { table in
        table.primaryKey("id", .integer)
        table.column("name", .text).notNull()
        table.column("age", .integer).notNull()
        table.column("score", .double).notNull()
        table.column("created", created).notNull()
      }
    }
    for column in ["name", "age", "score"] {
      try db.create(indexOn: "indexedPerson", columns: [column])
    }
    try db.create(table: "namedPerson", options: .withoutRowID) { table in
      table.primaryKey("name", .text)
      table.column("number", .integer).notNull()
      table.column("age", .integer).notNull()
      table.column("score", .double).notNull()
      table.column("created", created).notNull()
    }
    try db.create(table: "list") { table in
      table.primaryKey("position", .integer)
      table.column("value", .integer).notNull()
    }
    try db.create(table: "map", options: .withoutRowID) { table in
      table.primaryKey("key", .text)
      table.column("value", .integer).notNull()
    }
    try createFileTables(db)
  }

  private static func createFileTables(_ db: Database) throws {
    for name in ["blob", "message"] {
      try db.create(table: name) { table in
        table.primaryKey("id", .integer)
        table.column("content", .blob).notNull()
      }
    }
    try db.create(table: "page") { table in
      table.primaryKey("path", .text)
      table.column("content", .blob).notNull()
    }
    try db.create(table: "log") { table in
      table.primaryKey("id", .integer)
      table.column("text", .text).notNull()
    }
    try db.create(table: "document") { table in
      table.primaryKey("id", .integer)
      table.column("title", .text).notNull()
      table.column("body", .text).notNull()
      table.column("tags", .jsonText).notNull()
      table.column("counters", .jsonText).notNull()
      table.column("revision", .integer).notNull()
    }
  }

  /// An upper bound for the strings with a prefix, for ordinary text: SQLite compares bytes, and no
  /// UTF-8 sorts after U+10FFFF. A range finds prefixes in an index. `LIKE` of GRDB's `like(_:)`
  /// does not, because it ignores case.
  static func end(ofPrefix prefix: String) -> String { prefix + "\u{10FFFF}" }

  /// The maximum number of variables of a statement in SQLite as distributed.
  static let largestVariableCount = 32_766
}

extension DatabasePool {
  /// Moves the log into the database and truncates it: otherwise SQLite keeps the log file at its
  /// peak size.
  func emptyLog() throws {
    try writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
  }

  /// Processes a range in parts, each in a transaction.
  func inTransactions(
    _ ids: Range<Int>, _ perTransaction: Int, _ body: (Database, Range<Int>) throws -> Void
  ) throws {
    var start = ids.lowerBound
    while start < ids.upperBound {
      let end = start + min(perTransaction, ids.upperBound - start)
      try write { try body($0, start..<end) }
      start = end
    }
  }
}
