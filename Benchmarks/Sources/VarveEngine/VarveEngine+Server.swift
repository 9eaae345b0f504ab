package import BenchmarkKit
import Varve

/// Each request opens a realm, which reads the newest version, and writes with `asyncWrite`, as
/// recommended for tasks.
extension VarveEngine: ServerEngine {
  package func insertIssues(_ count: Int) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 1..<count + 1 { realm.add(StoredIssue(Issue(id: id))) }
    }
  }

  package func issue(_ id: Int) async throws -> Issue? {
    try Realm(configuration: configuration).object(ofType: StoredIssue.self, forPrimaryKey: id)?
      .issue
  }

  package func newestIssues(ofStatus status: String, limit: Int) async throws -> [Issue] {
    try Realm(configuration: configuration).objects(StoredIssue.self)
      .where { $0.status == status }.sorted(by: \.updated, ascending: false).limit(limit)
      .map(\.issue)
  }

  package func patchIssue(_ id: Int, _ patch: IssuePatch) async throws -> Bool {
    let realm = try Realm(configuration: configuration)
    return try await realm.asyncWrite {
      guard let issue = realm.object(ofType: StoredIssue.self, forPrimaryKey: id) else {
        return false
      }
      issue.title = patch.title
      issue.status = patch.status
      issue.updated = patch.updated
      return true
    }
  }

  package func createIssue(_ issue: Issue) async throws -> Int {
    let realm = try Realm(configuration: configuration)
    return try await realm.asyncWrite {
      // Without an id: `add` assigns the next one.
      let stored = StoredIssue(issue)
      realm.add(stored)
      return stored.id
    }
  }

  package func issueIDs() throws -> [Int] {
    try Realm(configuration: configuration).objects(StoredIssue.self).sorted(by: \.id).map(\.id)
  }

  package func issueIDs(withWord word: String) throws -> [Int] {
    try Realm(configuration: configuration).objects(StoredIssue.self)
      .where { $0.body.fullTextSearch(word) }.map(\.id).sorted()
  }
}
