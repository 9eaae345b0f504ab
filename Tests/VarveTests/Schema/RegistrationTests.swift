import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage

@Suite struct RegistrationTests {
  @Test func readsOfAbsentClassesAreEmptyAndRegisterNothing() throws {
    try withTemporaryRealm { realm, store in
      let makers = realm.objects(Release2.Maker.self)
      #expect(makers.isEmpty && makers.count == 0 && makers.first == nil && makers.last == nil)
      #expect(Array(makers).isEmpty && makers.map(\.name).isEmpty)
      #expect(makers.where { $0.name == "x" }.isEmpty)
      #expect(makers.sorted(by: \.name).map(\.name).isEmpty)
      #expect(realm.objects(Release2.Gadget.self).sum(of: \.size) == 0)
      #expect(realm.objects(Release2.Gadget.self).min(of: \.size) == nil)
      #expect(realm.object(ofType: Release2.Maker.self, forPrimaryKey: "x") == nil)
      #expect(realm.freeze().objects(Release2.Maker.self).isEmpty && realm.isEmpty)
      try realm.write {
        #expect(makers.isEmpty && realm.objects(Release2.Gadget.self).where { $0.size > 1 }.isEmpty)
        #expect(realm.object(ofType: Release2.Maker.self, forPrimaryKey: "x") == nil)
        realm.deleteAll()
      }
      #expect(try store.report().classCount == 0)
      // Empty results update once the class exists.
      try realm.write { realm.create(Release2.Maker.self, value: ["name": "ACME"]) }
      #expect(makers.map(\.name) == ["ACME"] && makers.where { $0.name == "ACME" }.count == 1)
    }
  }

  @Test func firstWriteRegistersUsedAndLinkedClasses() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.create(Release1.Gadget.self, value: ["id": 1]) }
      #expect(try store.report().classCount == 1)
      try realm.write { realm.create(catalog.self) }
      #expect(try store.report().classCount == 4)
    }
  }

  @Test func openingRegistersObjectTypes() throws {
    let store = try TemporaryRealm { $0.objectTypes = [Release2.Gadget.self] }
    defer { store.end() }
    let realm = try store.open()
    #expect(try store.report().classCount == 2)
    let version = realm.version
    try store.close()
    // The schema is found by its hash, so it is neither compared nor written.
    #expect(try store.open().version.number == version.number)
  }

  @Test func classesMayHaveNamesOfInternalTables() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        let list = realm.create(lists.self, value: ["number": 5])
        let catalog = realm.create(catalog.self, value: ["other": list])
        catalog.many.append(objectsIn: (0..<1_000).map { blobs(value: ["text": "\($0)"]) })
      }
      try store.close()
      let again = try store.open()
      #expect(again.objects(catalog.self).first?.other?.number == 5)
      #expect(again.objects(catalog.self).first?.many[999].text == "999")
      #expect(again.objects(lists.self).count == 1 && again.objects(blobs.self).count == 1_000)
      try store.check()
    }
  }

  @Test func registrationIsPartOfWrite() throws {
    try withTemporaryRealm { realm, store in
      expectCancelled {
        try realm.write {
          try realm.register(Release2.Gadget.self)
          throw Cancelled()
        }
      }
      #expect(try store.report().classCount == 0)
      try realm.write {
        try realm.register(Release2.Gadget.self)
        realm.create(Release2.Gadget.self, value: ["id": 1])
      }
      #expect(try store.report().classCount == 2)
    }
  }

  /// A binding lives as long as the store, so reads must not create one each.
  @Test func registeringWriteBindsOtherClassesOnce() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        for id in 0..<20 {
          realm.create(Release1.Gadget.self, value: ["id": id, "name": "G\(id)"])
        }
      }
      let core = try store.configuration.store()
      try realm.write {
        realm.create(lists.self)
        let before = core.bindingCount
        for id in 0..<100 {
          let gadget = realm.object(ofType: Release1.Gadget.self, forPrimaryKey: id % 20)
          #expect(gadget?.name == "G\(id % 20)")
          #expect(realm.objects(Release1.Gadget.self).where { $0.size == 0 }.count == 20)
        }
        for gadget in realm.objects(Release1.Gadget.self) { gadget.size += 1 }
        #expect(core.bindingCount <= before + 2)
      }
    }
  }

  @Test func readOnlyStoreReadsMissingClassesAsEmpty() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.create(Release1.Gadget.self, value: ["id": 1, "name": "G"]) }
      let version = realm.version.number
      try store.close()
      var configuration = store.configuration
      configuration.readOnly = true
      configuration.objectTypes = [Release2.Gadget.self]
      let reader = try Realm(configuration: configuration)
      let gadget = try #require(reader.objects(Release2.Gadget.self).first)
      #expect(gadget.name == "G" && gadget.color == "grey" && gadget.kind == .tool)
      #expect(gadget.notes.isEmpty && gadget.labels.isEmpty && gadget.maker == nil)
      #expect(Array(gadget.notes).isEmpty && gadget.rating == nil && gadget.photo.isEmpty)
      #expect(reader.objects(Release2.Maker.self).isEmpty)
      #expect(reader.freeze().objects(Release2.Gadget.self).first?.color == "grey")
      expectError(.readOnly) { try reader.write {} }
      expectError(.readOnly) { try reader.register(Release2.Maker.self) }
      #expect(reader.version.number == version)
      try Realm.close(configuration)
      #expect(try store.open().version.number == version)
    }
  }

  @Test func readOnlyRequiresFile() throws {
    let store = try TemporaryRealm { $0.readOnly = true }
    expectError(.fileNotFound) { try store.open() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory.path).isEmpty)
    store.remove()
  }
}
