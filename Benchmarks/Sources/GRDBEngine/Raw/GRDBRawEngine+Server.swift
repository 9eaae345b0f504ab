package import BenchmarkKit
import Foundation
import GRDB

extension GRDBRawEngine: ServerEngine {
  private static let columns = "title, status, assignee, created, updated, body"

  package func insertIssues(_ count: Int) throws {
    try pool.write { db in
      for id in 1..<count + 1 { try Self.insert(Issue(id: id), id: id, db) }
    }
  }

  package func issue(_ id: Int) async throws -> Issue? {
    try await pool.read { db in
      try Self.issues(
        db.cachedStatement(sql: "SELECT id, \(Self.columns) FROM issue WHERE id = ?"), [id]
      ).first
    }
  }

  package func newestIssues(ofStatus status: String, limit: Int) async throws -> [Issue] {
    try await pool.read { db in
      try Self.issues(
        db.cachedStatement(
          sql: """
            SELECT id, \(Self.columns) FROM issue WHERE status = ? ORDER BY updated DESC LIMIT ?
            """), [status, limit])
    }
  }

  package func patchIssue(_ id: Int, _ patch: IssuePatch) async throws -> Bool {
    try await pool.write { db in
      let statement = try db.cachedStatement(
        sql: "UPDATE issue SET title = ?, status = ?, updated = ? WHERE id = ?")
      statement.setUncheckedArguments([
        patch.title, patch.status, patch.updated.timeIntervalSince1970, id,
      ])
      try statement.execute()
      return db.changesCount == 1
    }
  }

  package func createIssue(_ issue: Issue) async throws -> Int {
    try await pool.write { db in
      try Self.insert(issue, id: nil, db)
      return Int(db.lastInsertedRowID)
    }
  }

  package func issueIDs() throws -> [Int] { try pool.issueIDs() }

  package func issueIDs(withWord word: String) throws -> [Int] {
    try pool.issueIDs(withWord: word)
  }

  /// SQLite assigns an id if there is none.
  private static func insert(_ issue: Issue, id: Int?, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: "INSERT INTO issue (id, \(columns)) VALUES (?, ?, ?, ?, ?, ?, ?)")
    statement.setUncheckedArguments([
      id, issue.title, issue.status, issue.assignee, issue.created.timeIntervalSince1970,
      issue.updated.timeIntervalSince1970, issue.body,
    ])
    try statement.execute()
  }

  private static func issues(
    _ statement: Statement, _ arguments: StatementArguments
  ) throws -> [Issue] {
    statement.setUncheckedArguments(arguments)
    var issues: [Issue] = []
    let rows = try Row.fetchCursor(statement)
    while let row = try rows.next() {
      issues.append(
        Issue(
          id: row[0], title: row[1], status: row[2], assignee: row[3],
          created: Date(timeIntervalSince1970: row[4]),
          updated: Date(timeIntervalSince1970: row[5]), body: row[6]))
    }
    return issues
  }
}
