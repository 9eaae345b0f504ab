import Foundation
import Testing
import Varve
import VarveTestSupport

/// Documents and cursors about objects that another process changes.
@Suite struct UpsertProcessesTests {
  /// The class that the other process writes.
  @Model final class Ticket: Object, Codable {
    @Persisted(primaryKey: true, autoIncrement: true) var id: Int
    @Persisted var title = ""
  }

  /// Runs a process that adds 19 tickets.
  private func addTickets(_ store: TemporaryRealm) {
    let process = TestProcess(["realmTickets", store.path, "10", "1", "0"])
    #expect(process.line() == "ready")
    process.go()
    #expect(process.line() == "grows" && process.wait() == 0)
  }

  @Test func objectsOfAnotherProcessAreFound() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.create(Ticket.self, value: ["title": "mine"]) }
      #expect(realm.objects(Ticket.self).count == 1)
      addTickets(store)
      let patches = try JSONDecoder().decode(
        [ObjectPatch<Ticket>].self,
        from: Data(#"[{"id": 20, "title": "theirs"}, {"id": 1}, {"title": "new"}]"#.utf8))
      let tickets = try realm.write { try realm.upsert(patches) }
      #expect(tickets.map(\.title) == ["theirs", "mine", "new"])
      #expect(tickets[2].id == 21 && realm.objects(Ticket.self).count == 21)
    }
  }

  @Test func cursorOfDeletedTicketSeesCommitsOfAnotherProcess() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { for _ in 0..<5 { realm.create(Ticket.self, value: ["title": "m"]) } }
      let sorted = realm.objects(Ticket.self).sorted(by: \.title, ascending: false)
      let page = sorted.page(after: nil, count: 2)
      let last = try #require(page.last)
      let cursor = try sorted.cursor(of: last)
      try realm.write { realm.delete(last) }
      addTickets(store)
      try realm.refresh()
      // The titles of the other process are "1".
      let rest = try sorted.page(after: cursor, count: 100).map(\.id)
      #expect(rest == [3, 4, 5] + Array(6...24))
    }
  }
}
