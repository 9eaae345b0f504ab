import Foundation
import Testing
import Varve
import VarveCore
import VarveEncoding

/// Opening files of earlier models with the classes compiled into the program. The configuration
/// lists no classes.
@Suite struct CompiledClassMigrationTests {
  /// A file with one person, stored with an earlier model.
  private func withEarlierFile(
    _ properties: [(name: String, type: VarveEncoding.PropertyType)] = [
      ("firstName", .string), ("lastName", .string),
    ], _ body: (TemporaryRealm) throws -> Void
  ) throws {
    let store = try TemporaryRealm { $0.isDynamic = true }
    defer { store.end() }
    do {
      let realm = try store.open()
      let earlier = ClassDescription(
        name: CompiledPerson.className(),
        properties: properties.map {
          PropertyDescription(
            name: $0.name, kind: PropertyKind(type: $0.type), addedConstant: $0.type.zeroValue)
        }, isEmbedded: false, modelIndex: 2_000_000, isDynamic: true)
      try store.configuration.store().prepareSchema(.listed([earlier]), version: 0, migrate: nil)
      try realm.write {
        realm.dynamicCreate(
          earlier.name,
          value: properties.map { property -> Any in
            property.type == .string ? property.name : 7
          })
      }
    }
    try Realm.close(store.configuration)
    try body(store)
  }

  @Test func migrationBlockSeesCompiledClasses() throws {
    try withEarlierFile { store in
      let configuration = store.configuration(nil, 1) { migration, _ in
        let names = migration.newSchema[CompiledPerson.className()]?.properties.map(\.name)
        #expect(names == ["fullName", "age"])
        migration.enumerateObjects(ofType: CompiledPerson.className()) { old, new in
          new?["fullName"] = "\(old?["firstName"] ?? "") \(old?["lastName"] ?? "")"
        }
        migration.create(CompiledPet.className(), value: ["name": "Rex"])
        migration.enumerateObjects(ofType: CompiledPet.className()) { old, new in
          #expect(old == nil && new?["name"] as? String == "Rex")
        }
      }
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(CompiledPerson.self).map(\.fullName) == ["firstName lastName"])
      #expect(realm.objects(CompiledPet.self).map(\.name) == ["Rex"])
      try Realm.close(configuration)
    }
  }

  @Test func renamePropertyKeepsValues() throws {
    try withEarlierFile { store in
      let configuration = store.configuration(nil, 1) { migration, _ in
        migration.renameProperty(
          onType: CompiledPerson.className(), from: "firstName", to: "fullName")
      }
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(CompiledPerson.self).map(\.fullName) == ["firstName"])
      try Realm.close(configuration)
    }
  }

  @Test func higherVersionMigratesWithoutBlock() throws {
    try withEarlierFile([("fullName", .int64)]) { store in
      let configuration = store.configuration(nil, 1)
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(CompiledPerson.self).map(\.fullName) == [""])
      try realm.write { realm.objects(CompiledPerson.self).first?.fullName = "Ada" }
      try Realm.close(configuration)
    }
  }

  @Test func changedTypeThrowsOnOpen() throws {
    try withEarlierFile([("fullName", .int64)]) { store in
      let error = thrownError { try Realm(configuration: store.configuration(nil, 0)) }
      #expect(error?.code == .schemaMismatch)
      var readOnly = store.configuration(nil, 0)
      readOnly.readOnly = true
      expectError(.schemaMismatch) { try Realm(configuration: readOnly) }
      var replacing = store.configuration(nil, 0)
      replacing.deleteRealmIfMigrationNeeded = true
      let realm = try Realm(configuration: replacing)
      #expect(realm.objects(CompiledPerson.self).isEmpty)
      try Realm.close(replacing)
    }
  }

  /// The first write that uses the class adds the property.
  @Test func addedPropertyNeedsNoMigration() throws {
    try withEarlierFile([("fullName", .string)]) { store in
      let configuration = store.configuration(nil, 0)
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(CompiledPerson.self).map(\.age) == [0])
      try realm.write { realm.objects(CompiledPerson.self).first?.age = 36 }
      #expect(realm.objects(CompiledPerson.self).map(\.fullName) == ["fullName"])
      try Realm.close(configuration)
    }
  }

  @Test func classRemainsAfterDeleteData() throws {
    try withEarlierFile { store in
      let configuration = store.configuration(nil, 1) { migration, _ in
        #expect(migration.deleteData(forType: CompiledPerson.className()))
        migration.create(CompiledPerson.className(), value: ["fullName": "Ada"])
      }
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(CompiledPerson.self).map(\.fullName) == ["Ada"])
      try Realm.close(configuration)
    }
  }
}

@Model final class CompiledPerson: Object {
  @Persisted var fullName: String
  @Persisted var age: Int
}

@Model final class CompiledPet: Object {
  @Persisted var name: String
}
