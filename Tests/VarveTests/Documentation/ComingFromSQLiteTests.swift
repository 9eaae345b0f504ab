import Foundation
import Testing
import Varve

/// The examples of the article “Coming from SQLite and GRDB”.
@Suite struct ComingFromSQLiteTests {
  @Model(indexes: [["status", "updated"]])
  final class Issue: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var id: Int
    @Persisted var title: String
    @Persisted var status = "open"
    @Persisted var updated: Date
    @Persisted var reporter: Reporter?
  }

  @Model final class Reporter: Object {
    @Persisted(primaryKey: true) var email: String
    @Persisted(originProperty: "reporter") var issues: LinkingObjects<Issue>
  }

  @Test func statementsHaveCounterparts() async throws {
    try await withDefaultRealm {
      let realm = try Realm()
      var printed = Printed()
      func print(_ items: Any...) { printed.add(items) }

      // INSERT INTO issue …; the generated id is known at once.
      let issue = try await realm.write {
        let reporter = realm.create(
          Reporter.self, value: ["email": "ada@example.org"], update: .modified)
        let issue = Issue(title: "Printer is on fire", updated: .now, reporter: reporter)
        realm.add(issue)
        return issue
      }

      // SELECT * FROM issue WHERE status = 'open' ORDER BY updated DESC LIMIT 20
      let page = realm.objects(Issue.self).where { $0.status == "open" }
        .sorted(by: \.updated, ascending: false).limit(20)

      // … JOIN reporter ON … WHERE reporter.email = ?
      let hers = realm.objects(Issue.self).where { $0.reporter.email == "ada@example.org" }

      // UPDATE issue SET status = 'closed' WHERE …
      try await realm.write { try hers.setValue("closed", forKey: "status") }
      print(issue.id, page.count, hers.count)  // 1 0 1

      // SELECT status, COUNT(*), MAX(updated) FROM issue GROUP BY status
      for group in realm.objects(Issue.self).sectioned(by: \.status) {
        print(group.key, group.count, group.max(of: \.updated) == issue.updated)  // closed 1 true
      }

      #expect(printed.lines == ["1 0 1", "closed 1 true"])
    }
  }
}
