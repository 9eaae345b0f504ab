import GRDB

/// The way in which changes of a row update its words in the full-text index.
enum TextUpdates {
  /// With each change of the row, as in GRDB's triggers.
  case ofRow
  /// With each change of the text, by a trigger on that column.
  case ofText
}

/// The tables with full-text indexes.
extension GRDBStore {
  static func createIssues(
    _ db: Database, _ date: Database.ColumnType, _ textUpdates: TextUpdates
  ) throws {
    try db.create(table: "issue") { table in
      table.primaryKey("id", .integer)
      table.column("title", .text).notNull()
      table.column("status", .text).notNull()
      table.column("assignee", .text).notNull()
      table.column("created", date).notNull()
      table.column("updated", date).notNull()
      table.column("body", .text).notNull()
    }
    try db.create(indexOn: "issue", columns: ["status", "updated"])
    try db.create(indexOn: "issue", columns: ["updated"])
    try createText(db, of: "issue", column: "body", textUpdates)
  }

  static func createMembers(_ db: Database) throws {
    try db.create(table: "member") { table in
      table.primaryKey("id", .integer)
      table.column("code", .text).notNull().unique()
      table.column("name", .text).notNull().indexed()
      table.column("plainName", .text).notNull()
      table.column("age", .integer).notNull().indexed()
      table.column("plainAge", .integer).notNull()
      table.column("score", .double).notNull().indexed()
      table.column("plainScore", .double).notNull()
      table.column("words", .text).notNull()
      table.column("mentor", .integer).notNull().indexed()
    }
    try createText(db, of: "member", column: "words", .ofText)
  }

  /// The index has no copy of the texts, and the defaults of FTS5: it also contains the positions of
  /// the words.
  static func createNotes(_ db: Database) throws {
    try db.create(table: "note") { table in
      table.primaryKey("id", .integer)
      table.column("body", .text).notNull()
    }
    try createText(db, of: "note", column: "body", .ofText)
  }

  private static func createText(
    _ db: Database, of table: String, column: String, _ updates: TextUpdates
  ) throws {
    let text = "\(table)Text"
    try db.create(virtualTable: text, using: FTS5()) { definition in
      definition.synchronize(withTable: table)
      definition.column(column)
    }
    guard case .ofText = updates else { return }
    try db.execute(
      sql: """
        DROP TRIGGER __\(text)_au;
        CREATE TRIGGER __\(text)_au AFTER UPDATE OF \(column) ON \(table) BEGIN
          INSERT INTO \(text)(\(text), rowid, \(column)) VALUES('delete', old.id, old.\(column));
          INSERT INTO \(text)(rowid, \(column)) VALUES (new.id, new.\(column));
        END;
        """)
  }
}

extension DatabasePool {
  /// The ids of the notes that contain a word, in ascending order.
  func noteIDs(withWord word: String) throws -> [Int] {
    try read {
      try Int.fetchAll(
        $0, sql: "SELECT rowid FROM noteText WHERE noteText MATCH ? ORDER BY rowid",
        arguments: [word])
    }
  }

  /// The ids of all issues in ascending order.
  func issueIDs() throws -> [Int] {
    try read { try Int.fetchAll($0, sql: "SELECT id FROM issue ORDER BY id") }
  }

  /// The ids of the issues whose body contains a word, in ascending order.
  func issueIDs(withWord word: String) throws -> [Int] {
    try read {
      try Int.fetchAll(
        $0, sql: "SELECT rowid FROM issueText WHERE issueText MATCH ? ORDER BY rowid",
        arguments: [word])
    }
  }
}
