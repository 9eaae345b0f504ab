import Foundation
import Testing
import Varve
import VarveCore
import VarveTestSupport

@Suite struct MigrationProcessesTests {
  @Test(arguments: [2, 6])
  func concurrentlyStartedProcessesMigrateOnce(count: Int) throws {
    try withMigratedFile { store in
      try store.fillShop(people: 200)
      try Realm.close(store.configuration)
      let children = (0..<count).map { _ in TestProcess(["migrationStart", store.path]) }
      for child in children { #expect(child.line() == "ready") }
      for child in children { child.go() }
      let lines = children.map { $0.line() ?? "nothing" }
      #expect(lines.count { $0 == "migrated, 200 of 200" } == 1, "\(lines)")
      #expect(lines.count { $0 == "found it done, 200 of 200" } == count - 1, "\(lines)")
      for child in children { child.wait() }
      let realm = try store.open(Shop2.Person.self, Shop2.Place.self, version: 1)
      #expect(realm.objects(Shop2.Person.self).map(\.years).max() == 219)
      #expect(realm.objects(Shop2.Person.self).allSatisfy { $0.fullName == "migrated 1" })
    }
  }

  @Test func processWithOlderSchemaGetsErrors() throws {
    try withMigratedFile { store in
      try store.fillShop()
      let realm = try store.open(Shop1.Person.self, Shop1.Place.self, version: 0)
      let person = try #require(realm.objects(Shop1.Person.self).first)
      let other = TestProcess(["migrationStart", store.path])
      #expect(other.line() == "ready")
      other.go()
      #expect(other.line() == "migrated, 3 of 3")
      other.wait()
      // The live realm still reads its earlier snapshot.
      #expect(person.firstName == "F0" && person.visited.count == 3)
      expectError(.schemaVersionTooLow) { try realm.refresh() }
      expectError(.schemaVersionTooLow) { try realm.write { person.age = 1 } }
      expectError(.schemaVersionTooLow) { try realm.write {} }
      expectError(.schemaVersionTooLow) {
        try Realm(configuration: store.configuration([Shop1.Person.self], 0))
      }
      #expect(realm.objects(Shop1.Person.self).map(\.age) == [20, 21, 22])
      // A process supports one schema version of a file at a time.
      let later = store.configuration([Shop2.Person.self, Shop2.Place.self], 1)
      expectError(.alreadyOpen) { try Realm(configuration: later) }
      try Realm.close(later)
      expectError(.closed) { try realm.write { person.age = 1 } }
      let newer = try Realm(configuration: later)
      #expect(newer.objects(Shop2.Person.self).map(\.years) == [20, 21, 22])
      try store.check()
    }
  }

  @Test func dynamicRealmFollowsEveryVersion() throws {
    try withMigratedFile { store in
      try store.fillShop(people: 3)
      try Realm.close(store.configuration)
      let realm = try Realm(configuration: store.configuration)
      let other = TestProcess(["migrationStart", store.path])
      #expect(other.line() == "ready")
      other.go()
      #expect(other.line() == "migrated, 3 of 3")
      other.wait()
      #expect(try realm.refresh())
      #expect(try realm.dynamicObjects("Person").map { $0["years"] as? Int } == [20, 21, 22])
      try realm.write { try realm.dynamicObjects("Person").first?["years"] = 5 }
      #expect(try Realm(configuration: store.configuration).dynamicObjects("Person").count == 3)
    }
  }

  @Test func killedMigrationLeavesFileUnchanged() throws {
    try withMigratedFile { store in
      try store.fillShop(people: 300)
      try Realm.close(store.configuration)
      let other = TestProcess(["migrationKilled", store.path])
      #expect(other.line() == "in the middle")
      other.kill()
      let realm = try store.open(Shop1.Person.self, Shop1.Place.self, version: 0)
      #expect(realm.objects(Shop1.Person.self).map(\.age) == Array(20..<320))
      let again = try store.open(Shop2.Person.self, Shop2.Place.self, version: 1)
      #expect(again.objects(Shop2.Person.self).count == 300)
    }
  }
}
