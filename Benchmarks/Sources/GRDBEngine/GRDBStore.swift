import BenchmarkKit
import Foundation
import GRDB

/// What both engines open: a pool of connections to one SQLite database, and its tables.
///
/// GRDB's defaults but for these: commits are synchronised as the workload wants (GRDB's `NORMAL` waits for the disk at
/// checkpoints only); who finds the database locked by another process waits; and there may be ten readers, for there
/// are ten threads that read at once.
enum GRDBStore {
  /// Opens the pool, in WAL mode as pools are, and creates the tables where there are none.
  ///
  /// - Parameters:
  ///   - directory: Where the files are.
  ///   - durability: What a commit waits for.
  ///   - created: The type of the column of dates, which the two engines store in different ways.
  ///   - textUpdates: How the words of changed rows enter full-text indexes.
  /// - Returns: The pool.
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
    // Not in `prepareDatabase`: the pool sets NORMAL after that. A checkpoint is made by who commits, thus by the writer.
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
    }
    try migrator.migrate(pool)
    return pool
  }

  /// Tables whose keys are integers have them for rowids; persons by names and the dictionary are trees of their keys, as
  /// SQLite advises for short rows. Pages have long rows, and thus a rowid and an index of their paths.
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

  /// The least string that is greater than those with a prefix, of strings that people write: SQLite compares bytes, and
  /// nothing of UTF-8 comes after U+10FFFF. A range finds prefixes in an index, which `LIKE` of GRDB's `like(_:)` does not:
  /// that knows no case.
  static func end(ofPrefix prefix: String) -> String { prefix + "\u{10FFFF}" }

  /// The most variables that a statement may have in SQLite as it is distributed.
  static let largestVariableCount = 32_766
}

extension DatabasePool {
  /// Brings the log into the database and cuts it off: SQLite leaves it as long as it once was.
  func emptyLog() throws {
    try writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
  }

  /// Goes through a range in pieces, each in a transaction.
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
