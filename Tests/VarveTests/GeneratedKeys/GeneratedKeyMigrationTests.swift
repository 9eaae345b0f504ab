import Testing
import Varve

/// The effects of migrations on generated keys.
@Suite struct GeneratedKeyMigrationTests {
  private func withTickets(
    _ count: Int = 3, _ body: (TemporaryRealm) throws -> Void
  ) throws {
    try withMigratedFile { store in
      let realm = try store.open(Ticket.self, version: 0)
      try realm.write { for number in 0..<count { realm.add(Ticket("\(number)")) } }
      try realm.write {
        realm.delete(try #require(realm.object(ofType: Ticket.self, forPrimaryKey: count)))
      }
      try body(store)
    }
  }

  @Test func unchangedClassContinuesKeys() throws {
    try withTickets { store in
      let realm = try store.open(Ticket.self, Twig.self, version: 1) { migration, _ in
        let created = migration.create("Ticket", value: ["title": "new"])
        #expect(created["id"] as? Int == 4)
        migration.delete(created)
      }
      try realm.write { #expect(realm.create(Ticket.self).id == 5) }
    }
  }

  @Test func migrationBlockGeneratesKeysOfNewGeneration() throws {
    try withMigratedFile { store in
      let old = try store.open(PlainTicket.Ticket.self, version: 0)
      try old.write { old.create(PlainTicket.Ticket.self, value: ["id": 6]) }
      let realm = try store.open(Ticket.self, version: 1) { migration, _ in
        #expect(migration.create("Ticket")["id"] as? Int == 7)
      }
      try realm.write { #expect(realm.create(Ticket.self).id == 8) }
    }
  }

  @Test func classThatStopsGeneratingLosesItsCounter() throws {
    try withTickets { store in
      var plain = try store.open(PlainTicket.Ticket.self, version: 1) { migration, _ in
        migration.create("Ticket", value: ["id": 0])
      }
      #expect(plain.schema["Ticket"]?["id"]?.isAutoIncremented == false)
      #expect(plain.objects(PlainTicket.Ticket.self).map(\.id) == [0, 1, 2])
      plain = try store.open(PlainTicket.Ticket.self, version: 2)
      let realm = try store.open(Ticket.self, version: 3)
      try realm.write { #expect(realm.create(Ticket.self).id == 3) }
    }
  }

  @Test func renamedClassesAndPropertiesContinueKeys() throws {
    try withTickets { store in
      let realm = try store.open(Renamed.Job.self, version: 1) { migration, _ in
        migration.renameClass(from: "Ticket", to: "Job")
        migration.renameProperty(onType: "Job", from: "id", to: "number")
      }
      try realm.write { #expect(realm.create(Renamed.Job.self).number == 4) }
      #expect(realm.objects(Renamed.Job.self).map(\.title) == ["0", "1", ""])
      // Then renamed to a key that is not generated.
      let plain = try store.open(RenamedPlain.Job.self, version: 2) { migration, _ in
        migration.renameProperty(onType: "Job", from: "number", to: "code")
      }
      try plain.write { #expect(plain.create(RenamedPlain.Job.self).code == 0) }
    }
  }

  @Test func keyOfAnotherWidthContinues() throws {
    try withTickets { store in
      let realm = try store.open(Wide.Ticket.self, version: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Ticket") { $1?["id"] = $0?["id"] }
      }
      #expect(realm.objects(Wide.Ticket.self).map(\.id) == [1, 2])
      try realm.write { #expect(realm.create(Wide.Ticket.self).id == 4) }
    }
  }

  @Test func newKeyPropertyContinuesAfterItsMaximum() throws {
    try withTickets(200) { store in
      let realm = try store.open(ByNumber.Ticket.self, version: 1) { migration, _ in
        var number = 0
        migration.enumerateObjects(ofType: "Ticket") { _, new in
          number += 1
          new?["number"] = number
        }
      }
      #expect(realm.objects(ByNumber.Ticket.self).map(\.title) == (0..<199).map(String.init))
      try realm.write { #expect(realm.create(ByNumber.Ticket.self).number == 200) }
    }
  }

  @Test func removedClassRestartsKeys() throws {
    try withTickets { store in
      _ = try store.open(Invoice.self, version: 1) { migration, _ in
        migration.deleteData(forType: "Ticket")
      }
      let realm = try store.open(Ticket.self, version: 2)
      try realm.write { #expect(realm.create(Ticket.self).id == 1) }
    }
  }

  @Test func objectsDeletedByMigrationKeepKeysUsed() throws {
    try withTickets { store in
      let realm = try store.open(Ticket.self, version: 1) { migration, _ in
        migration.deleteData(forType: "Ticket")
      }
      try realm.write { #expect(realm.create(Ticket.self).id == 4) }
    }
  }

  // MARK: Adding a key to a class

  @Test func objectsWithoutKeyAreNumberedInOrder() throws {
    try withMigratedFile { store in
      let old = try store.open(Keyless.Ticket.self, version: 0)
      try old.write {
        for number in 0..<5 { old.create(Keyless.Ticket.self, value: ["title": "\(number)"]) }
        let tickets = old.objects(Keyless.Ticket.self)
        for ticket in tickets { ticket.next = tickets.last }
        old.delete(tickets[2])
      }
      let realm = try store.open(Linked.Ticket.self, version: 1)
      let tickets = realm.objects(Linked.Ticket.self)
      #expect(tickets.map(\.id) == [1, 2, 3, 4] && tickets.map(\.title) == ["0", "1", "3", "4"])
      #expect(tickets.map { $0.next?.id } == [4, 4, 4, 4])
      try realm.write { #expect(realm.create(Linked.Ticket.self).id == 5) }
    }
  }

  @Test func keysSetByMigrationAreKept() throws {
    try withMigratedFile { store in
      let old = try store.open(Keyless.Ticket.self, version: 0)
      try old.write {
        for number in 0..<5 { old.create(Keyless.Ticket.self, value: ["title": "\(number)"]) }
      }
      let realm = try store.open(Linked.Ticket.self, version: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Ticket") { old, new in
          if old?["title"] as? String == "3" { new?["id"] = 40 }
        }
        migration.create("Ticket", value: ["title": "new"])
      }
      let tickets = realm.objects(Linked.Ticket.self)
      #expect(tickets.map(\.id) == [40, 41, 42, 43, 44, 45])
      #expect(tickets.map(\.title) == ["3", "0", "1", "2", "4", "new"])
    }
  }

  @Test func tooManyObjectsForKeyTypeFailMigration() throws {
    try withMigratedFile { store in
      let old = try store.open(Keyless.Ticket.self, version: 0)
      try old.write { for _ in 0..<128 { old.create(Keyless.Ticket.self) } }
      let error = thrownError { try store.open(Small.Ticket.self, version: 1) }
      #expect(error?.code == .valueTooLarge && error?.propertyName == "id")
      #expect(try store.schemaVersion() == 0)
      let again = try store.open(Keyless.Ticket.self, version: 0)
      try again.write { again.delete(try #require(again.objects(Keyless.Ticket.self).last)) }
      let realm = try store.open(Small.Ticket.self, version: 1)
      #expect(realm.objects(Small.Ticket.self).map(\.id) == Array(1...127))
    }
  }
}

private enum Renamed {
  @Model final class Job: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var number: Int
    @Persisted var title = ""
  }
}

private enum RenamedPlain {
  @Model final class Job: Object {
    @Persisted(primaryKey: true) var code: Int
    @Persisted var title = ""
  }
}

private enum Wide {
  @Model final class Ticket: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var id: Int32
    @Persisted var title = ""
  }
}

private enum ByNumber {
  @Model final class Ticket: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var number: Int
    @Persisted var title = ""
  }
}

private enum Keyless {
  @Model final class Ticket: Object {
    @Persisted var title = ""
    @Persisted var next: Ticket?
  }
}

private enum Linked {
  @Model final class Ticket: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var id: Int
    @Persisted var title = ""
    @Persisted var next: Ticket?
  }
}

private enum Small {
  @Model final class Ticket: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var id: Int8
    @Persisted var title = ""
    @Persisted var next: Ticket?
  }
}
