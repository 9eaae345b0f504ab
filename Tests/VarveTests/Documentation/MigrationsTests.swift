import Foundation
import Testing
import Varve

/// The examples of the article “Migrations”.
@Suite struct MigrationsTests {
  enum First {
    @Model final class Person: Object {
      @Persisted(primaryKey: true) var number: Int
      @Persisted var name: String
      @Persisted var firstName: String
      @Persisted var lastName: String
      @Persisted var age = 0
      @Persisted var home: Place?
    }

    @Model final class Place: Object { @Persisted var city: String }
  }

  enum Second {
    @Model final class Person: Object {
      @Persisted(primaryKey: true) var number: Int
      @Persisted var fullName: String
      @Persisted var years = 0
    }

    @Model final class Address: Object { @Persisted var city: String }
  }

  enum Third {
    @Model final class Person: Object {
      @Persisted(primaryKey: true) var number: String
      @Persisted var name: String
      @Persisted var home: Address?
    }

    @Model final class Address: Object { @Persisted var city: String }
  }

  enum Older {
    @Model final class Parcel: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var weight: Int
    }
  }

  enum Newer {
    @Model final class Parcel: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var grams: Int
      @Persisted(indexed: true) var kilograms: Double?

      override class func propertiesMapping() -> [String: String] { ["grams": "weight"] }
    }
  }

  @Test func propertyIsRenamedWithoutMigration() async throws {
    typealias Parcel = Newer.Parcel
    let store = try TemporaryRealm()
    defer { store.end() }
    try { (realm: Realm) in
      try realm.write {
        for id in 0..<1200 { realm.create(Older.Parcel.self, value: ["id": id, "weight": id]) }
      }
    }(try store.open())
    try store.close()
    let realm = try store.open()
    #expect(realm.objects(Parcel.self).where { $0.grams > 1190 }.count == 9)
    var moved = 0
    repeat {
      moved = try await realm.write {
        let batch = Array(realm.objects(Parcel.self).where { $0.kilograms == nil }.limit(500))
        for parcel in batch { parcel.kilograms = Double(parcel.grams) / 1000 }
        return batch.count
      }
    } while moved > 0
    #expect(realm.objects(Parcel.self).allSatisfy { $0.kilograms == Double($0.id) / 1000 })
    #expect(try schemaVersionAtURL(try #require(store.configuration.fileURL)) == 0)
  }

  /// Runs an example with a file of the first release as the default configuration.
  private func withPeople(_ example: (TemporaryRealm) async throws -> Void) async throws {
    let store = try TemporaryRealm { $0.isDynamic = true }
    let before = Realm.Configuration.defaultConfiguration
    defer {
      Realm.Configuration.defaultConfiguration = before
      store.end()
    }
    try { (realm: Realm) throws in
      try realm.write {
        let bern = realm.create(First.Place.self, value: ["city": "Bern"])
        realm.create(
          First.Person.self,
          value: [
            "number": 1, "name": "Ada", "firstName": "Ada", "lastName": "King", "age": 36,
            "home": bern,
          ])
        realm.create(First.Person.self, value: ["number": 2])
      }
    }(try store.open())
    try Realm.close(store.configuration)
    Realm.Configuration.defaultConfiguration = store.configuration
    Realm.Configuration.defaultConfiguration.isDynamic = false
    try await example(store)
  }

  @Test func fileIsMigratedStepByStep() async throws {
    try await withPeople { store in
      typealias Person = Second.Person
      typealias Address = Second.Address

      var configuration = Realm.Configuration.defaultConfiguration
      configuration.objectTypes = [Person.self, Address.self]
      configuration.schemaVersion = 2
      configuration.migrationBlock = { migration, oldVersion in
        if oldVersion < 1 {
          migration.enumerateObjects(ofType: "Person") { old, new in
            new?["fullName"] = "\(old?["firstName"] ?? "") \(old?["lastName"] ?? "")"
          }
        }
        if oldVersion < 2 {
          migration.renameProperty(onType: "Person", from: "age", to: "years")
        }
      }
      let realm = try await Realm.open(configuration: configuration)
      #expect(realm.objects(Person.self).first?.fullName == "Ada King")
      #expect(realm.objects(Person.self).map(\.years) == [36, 0])

      let fileURL = store.directory.appending(path: "test.varve")
      try Realm.close(configuration)
      configuration.schemaVersion = 3
      let version = try schemaVersionAtURL(fileURL)  // Nothing is opened, made or changed.
      if version < configuration.schemaVersion {
        try await Realm.performMigration(for: configuration)
      }
      #expect(try schemaVersionAtURL(fileURL) == 3)
    }
  }

  @Test func blockRenamesChangesDeletesAndCreates() async throws {
    try await withPeople { store in
      var configuration = Realm.Configuration.defaultConfiguration
      configuration.objectTypes = [Third.Person.self]
      configuration.schemaVersion = 1
      configuration.migrationBlock = { migration, _ in
        migration.renameClass(from: "Place", to: "Address")
        migration.enumerateObjects(ofType: "Person") { old, new in
          // The type has changed from Int to String.
          new?["number"] = "\(old?["number"] ?? 0)"
          if old?["name"] as? String == "" { new.map(migration.delete) }
        }
        migration.create("Address", value: ["city": "Bern"])
      }
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(Third.Person.self).map(\.number) == ["1"])
      #expect(realm.objects(Third.Person.self).first?.home?.city == "Bern")
      #expect(realm.objects(Third.Address.self).count == 2)
    }
  }

  @Test func cacheIsReplaced() async throws {
    try await withPeople { store in
      typealias Person = Third.Person
      let fileURL = store.directory.appending(path: "test.varve")

      var cache = Realm.Configuration(fileURL: fileURL, deleteRealmIfMigrationNeeded: true)
      cache.objectTypes = [Person.self]
      let empty = try Realm(configuration: cache)
      #expect(empty.isEmpty)
      try Realm.close(cache)
    }
  }

  @Test func fileOfAnotherProgramIsReadAndWritten() async throws {
    try await withPeople { store in
      var printed = Printed()
      func print(_ items: Any...) { printed.add(items) }
      let fileURL = store.directory.appending(path: "test.varve")

      let file = try Realm(configuration: Realm.Configuration(fileURL: fileURL, isDynamic: true))
      for name in file.schema.objectSchema.map(\.className).sorted() {
        print(name, try file.dynamicObjects(name).count)
      }
      let people = try file.dynamicObjects("Person").sorted(byKeyPath: "name")
      try await file.write {
        people.first?["name"] = "Adele"
        file.dynamicCreate("Person", value: ["number": 3, "name": "Cid"])
      }
      #expect(printed.lines == ["Person 2", "Place 1"])
      #expect(people.map { $0["name"] as? String } == ["Ada", "Adele", "Cid"])
      try Realm.close(Realm.Configuration(fileURL: fileURL))
    }
  }
}
