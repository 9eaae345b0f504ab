import Foundation
import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveStorage

enum PlainTicket {
  /// The class as declared by an earlier release.
  @Model final class Ticket: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title = ""
  }
}

enum FaultyGeneration {
  @Model final class OfText: Object {
    typealias Key = String
    @Persisted(primaryKey: true, autoIncrement: true) var id: Key
  }
  @Model final class OfOptional: Object {
    typealias Key = Int?
    @Persisted(primaryKey: true, autoIncrement: true) var id: Key
  }
  @Model final class OfEnumeration: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var id: Level
  }
  @Model final class WithADefault: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var id: Int
    override class func defaultPropertyValues() -> [String: Any] { ["id": 7] }
  }
  @Model final class NoKey: Object {
    static let isKey = false
    @Persisted(primaryKey: isKey, autoIncrement: true) var id: Int
  }
  @Model final class OtherKey: Object {
    static let isKey = false
    @Persisted(primaryKey: isKey, autoIncrement: true) var id: Int
    @Persisted var name: String
    override class func primaryKey() -> String? { "name" }
  }
}

enum OtherGeneration {
  @Model final class NotGenerated: Object {
    @Persisted(primaryKey: true, autoIncrement: false) var id: Int
  }
  @Model final class ByMethod: Object {
    static let isKey = false
    @Persisted(primaryKey: isKey, autoIncrement: true) var id: Int
    override class func primaryKey() -> String? { "id" }
  }
  class Unmarked: Object, @unchecked Sendable {
    @Persisted(primaryKey: true, autoIncrement: true) var id: Int
  }
}

/// Classes that start to generate keys, and programs whose model does not.
@Suite struct GeneratedKeySchemaTests {
  private typealias Plain = PlainTicket.Ticket

  @Test func classContinuesAfterItsGreatestKey() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { for id in [3, 7, 0] { realm.create(Plain.self, value: ["id": id]) } }
      try store.close()
      let again = try store.open()
      try again.write { #expect(again.create(Ticket.self).id == 8) }
      // The object with key 0 keeps it.
      #expect(again.objects(Ticket.self).map(\.id) == [0, 3, 7, 8])
      #expect(again.object(ofType: Ticket.self, forPrimaryKey: 0) != nil)
    }
  }

  @Test func generationStartsInFirstWriteThatUsesIt() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        realm.create(Plain.self, value: ["id": 3])
        #expect(realm.create(Ticket.self).id == 4)
        realm.delete(realm.objects(Ticket.self))
        #expect(realm.create(Ticket.self).id == 5)
      }
      try store.check()
      expectCancelled {
        try realm.write {
          realm.create(Twig.self)
          throw Cancelled()
        }
      }
      try realm.write { #expect(realm.create(Twig.self).id == 1) }
    }
  }

  @Test func olderModelKeepsWorking() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add([Ticket("a"), Ticket("b")]) }
      // It assigns keys as before, including 0, and raises the next generated key.
      try realm.write {
        #expect(realm.create(Plain.self).id == 0)
        realm.create(Plain.self, value: ["id": 20])
      }
      try realm.write { realm.delete(try #require(realm.objects(Plain.self).last)) }
      try realm.write { #expect(realm.create(Ticket.self).id == 21) }
      try store.close()
      let again = try store.open()
      try again.register(Plain.self)
      try again.write { #expect(again.create(Ticket.self).id == 22) }
      #expect(again.schema["Ticket"]?["id"]?.isAutoIncremented == true)
    }
  }

  @Test func readOnlyStoreAcceptsModel() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.create(Plain.self, value: ["id": 3]) }
      try store.close()
      var configuration = store.configuration
      configuration.readOnly = true
      configuration.objectTypes = [Ticket.self]
      #expect(try Realm(configuration: configuration).objects(Ticket.self).map(\.id) == [3])
      try Realm.close(configuration)
      _ = try store.open()
    }
  }

  @Test func schemaReportsGeneration() throws {
    #expect(Ticket().objectSchema["id"]?.isAutoIncremented == true)
    #expect(Plain().objectSchema["id"]?.isAutoIncremented == false)
    try withTemporaryRealm { realm, _ in
      try realm.register(Ticket.self, Crate.self)
      #expect(realm.schema["Ticket"]?["id"]?.isAutoIncremented == true)
      #expect(realm.schema["Ticket"]?["title"]?.isAutoIncremented == false)
      #expect(realm.schema["Crate"]?["id"]?.isAutoIncremented == false)
    }
  }

  @Test func deletionIsRecordedOnlyWhenMaximumIsRemoved() throws {
    try withTemporaryRealm { realm, store in
      func record() throws -> Int64? {
        let snapshot = try store.configuration.store().newestSnapshot()
        let schema = try FileSchema.load(from: snapshot, snapshot.root)
        return try snapshot.lastKey(ofClass: try #require(schema.schema(named: "Ticket")).id)
      }
      try realm.write { for _ in 0..<4 { realm.add(Ticket()) } }
      #expect(try record() == nil)
      func delete(_ key: Int) throws {
        try realm.write {
          realm.delete(try #require(realm.object(ofType: Ticket.self, forPrimaryKey: key)))
        }
      }
      try delete(2)
      #expect(try record() == nil)
      try delete(4)
      #expect(try record() == 4)
      try delete(3)
      #expect(try record() == 4)
      try realm.write { realm.add(Ticket()) }
      #expect(try record() == 4)
      try realm.write { realm.deleteAll() }
      #expect(try record() == 5)
      try realm.write { realm.create(Plain.self, value: ["id": -3]) }
      try realm.write { realm.deleteAll() }
      #expect(try record() == 5)
    }
  }

  // MARK: Declarations

  @Test(arguments: [
    FaultyGeneration.OfText.self, FaultyGeneration.OfOptional.self,
    FaultyGeneration.OfEnumeration.self,
    FaultyGeneration.WithADefault.self, FaultyGeneration.NoKey.self, FaultyGeneration.OtherKey.self,
  ])
  func invalidDeclarationIsRejectedAtRunTime(type: Object.Type) throws {
    try withTemporaryRealm { realm, _ in
      let error = thrownError { try realm.register(type) }
      #expect(error?.code == .invalidSchema, "\(type)")
      #expect(error?.details.contains { $0.contains("\(type).id") } == true)
      #expect(error?.details.contains { $0.contains("auto-incremented") } == true)
    }
  }

  @Test func equivalentDeclarationsAreAccepted() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        #expect(realm.create(OtherGeneration.NotGenerated.self).id == 0)
        #expect(realm.create(OtherGeneration.ByMethod.self).id == 1)
        #expect(realm.create(OtherGeneration.Unmarked.self).id == 1)
      }
    }
  }
}
