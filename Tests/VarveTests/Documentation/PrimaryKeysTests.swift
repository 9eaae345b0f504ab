import Foundation
import Testing
import Varve

/// The examples of the article “Primary keys”.
@Suite struct PrimaryKeysTests {
  private typealias Ticket = KeyedModels.Ticket
  private typealias Upload = KeyedModels.Upload
  private typealias Event = KeyedModels.Event

  enum KeyedModels {
    @Model final class Ticket: Object {
      @Persisted(primaryKey: true, autoIncrement: true) var id: Int
      @Persisted var title: String
    }

    @Model final class Upload: Object {
      @Persisted(primaryKey: true) var id = UUID()
      @Persisted var name: String
    }

    @Model final class Download: Object {
      @Persisted(primaryKey: true) var id: UUID = .v7()
      @Persisted var name: String
    }

    @Model final class Event: Object {
      @Persisted(primaryKey: true) var id = ObjectId.generate()
      @Persisted var text: String
    }
  }

  @Test func articleStepsRunInOrder() async throws {
    var printed = Printed()
    func print(_ items: Any...) { printed.add(items) }
    try await withTemporaryRealm { realm, _ in
      let ticket = Ticket(title: "Printer is on fire")
      let id = try await realm.write {
        realm.add(ticket)
        return ticket.id
      }
      print(id)  // 1

      try await realm.write { realm.delete(ticket) }
      let next = try await realm.write {
        realm.create(Ticket.self, value: ["title": "Printer is gone"])
      }
      print(next.id)  // 2
      try await realm.write {
        realm.add(Ticket(id: 100, title: "Imported"))
      }
      let last = try await realm.write { realm.create(Ticket.self, value: ["title": "After it"]) }
      print(last.id)  // 101
    }
    #expect(printed.lines == ["1", "2", "101"])
  }

  enum WithoutDefault {
    @Model final class Upload: Object {
      @Persisted(primaryKey: true) var id: UUID
    }
    @Model final class Event: Object {
      @Persisted(primaryKey: true) var id: ObjectId
    }
  }

  /// Each object has its identifier from its creation, and keeps it.
  @Test func identifiersAreGeneratedAtInit() throws {
    try withTemporaryRealm { realm, store in
      let uploads = (0..<100).map { _ in Upload() }
      let events = (0..<100).map { _ in Event() }
      let (ids, marks) = (uploads.map(\.id), events.map(\.id))
      #expect(Set(ids).count == 100 && Set(marks).count == 100)
      try realm.write {
        realm.add(uploads)
        realm.add(events)
        #expect(realm.create(Upload.self).id != realm.create(Upload.self).id)
      }
      #expect(uploads.map(\.id) == ids && events.map(\.id) == marks)
      try store.close()
      let again = try store.open()
      for id in ids { #expect(again.object(ofType: Upload.self, forPrimaryKey: id)?.id == id) }
      for id in marks { #expect(again.object(ofType: Event.self, forPrimaryKey: id)?.id == id) }
    }
  }

  @Test func identifiersWithoutDefaultAreGenerated() throws {
    #expect(WithoutDefault.Upload().id != WithoutDefault.Upload().id)
    #expect(WithoutDefault.Event().id != WithoutDefault.Event().id)
  }
}
