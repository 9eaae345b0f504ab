package import BenchmarkKit
import GRDB

extension GRDBEngine: ServerEngine {
  package func insertIssues(_ count: Int) throws {
    try pool.write { db in
      for id in 1..<count + 1 {
        var record = IssueRecord(Issue(id: id))
        try record.insert(db)
      }
    }
  }

  package func issue(_ id: Int) async throws -> Issue? {
    try await pool.read { try IssueRecord.fetchOne($0, key: id) }?.issue
  }

  package func newestIssues(ofStatus status: String, limit: Int) async throws -> [Issue] {
    try await pool.read { db in
      try IssueRecord.filter(IssueColumns.status == status).order(IssueColumns.updated.desc)
        .limit(limit).fetchAll(db)
    }.map(\.issue)
  }

  /// Updates the row without fetching the record first.
  package func patchIssue(_ id: Int, _ patch: IssuePatch) async throws -> Bool {
    try await pool.write { db in
      try IssueRecord.filter(key: id).updateAll(
        db, IssueColumns.title.set(to: patch.title), IssueColumns.status.set(to: patch.status),
        IssueColumns.updated.set(to: patch.updated)) == 1
    }
  }

  package func createIssue(_ issue: Issue) async throws -> Int {
    try await pool.write { db in
      var record = IssueRecord(issue)
      try record.insert(db)
      return Int(record.id ?? 0)
    }
  }

  package func issueIDs() throws -> [Int] { try pool.issueIDs() }

  package func issueIDs(withWord word: String) throws -> [Int] {
    try pool.issueIDs(withWord: word)
  }
}
