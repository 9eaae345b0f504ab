import Foundation
import Testing
import Varve

/// Snapshots from before a schema change, read with the models that introduced it.
@Suite struct OlderVersionTests {
  /// Runs a body with a realm frozen before the properties of `Release2` were added, with gadgets 0
  /// to 4, and a live realm in which gadget 0 is deleted, 1 changed, and 5 new.
  private func withOlderVersion(_ body: (Realm, Realm) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        for id in 0..<5 {
          realm.create(Release1.Gadget.self, value: ["id": id, "name": "G\(id)", "size": id])
        }
      }
      let older = realm.freeze()
      try realm.write {
        let maker = realm.create(Release2.Maker.self, value: ["name": "ACME"])
        let gadgets = realm.objects(Release2.Gadget.self)
        realm.delete(gadgets[0])
        gadgets[0].color = "red"
        gadgets[0].maker = maker
        gadgets[0].notes.append("note")
        gadgets[0].labels["a"] = 1
        realm.create(Release2.Gadget.self, value: ["id": 5, "color": "red", "maker": maker])
      }
      try body(older, realm)
    }
  }

  @Test func laterPropertiesReadDefaults() throws {
    try withOlderVersion { older, realm in
      let gadgets = older.objects(Release2.Gadget.self)
      #expect(gadgets.map(\.id) == [0, 1, 2, 3, 4] && gadgets.map(\.name).last == "G4")
      for gadget in gadgets {
        #expect(gadget.color == "grey" && gadget.kind == .tool && gadget.isNew)
        #expect(gadget.rating == nil && gadget.photo.isEmpty && gadget.maker == nil)
        #expect(gadget.notes.isEmpty && gadget.notes.first == nil && Array(gadget.notes).isEmpty)
        #expect(gadget.labels.isEmpty && gadget.labels["a"] == nil && gadget.labels.keys.isEmpty)
        // The write that adds the property makes this default for each object that still exists.
        #expect(!gadget.token.uuidString.allSatisfy { $0 == "0" || $0 == "-" })
        #expect(gadget.token == gadget.token)
        let new = realm.object(ofType: Release2.Gadget.self, forPrimaryKey: gadget.id)
        #expect(new == nil || new?.token == gadget.token)
        #expect(gadget.freeze().color == "grey" && gadget.description.contains("grey"))
      }
    }
  }

  @Test func conditionsOnLaterPropertiesUseDefaults() throws {
    try withOlderVersion { older, realm in
      let old = older.objects(Release2.Gadget.self)
      let new = realm.objects(Release2.Gadget.self)
      // An index on `color` was added with it, so the older version has no entries.
      #expect(old.where { $0.color == "grey" }.count == 5)
      #expect(new.where { $0.color == "grey" }.map(\.id) == [2, 3, 4])
      #expect(old.where { $0.color == "red" }.isEmpty)
      #expect(new.where { $0.color == "red" }.map(\.id) == [1, 5])
      // So was an index on `name`, a property that already existed.
      #expect(old.where { $0.name == "G0" }.map(\.id) == [0])
      #expect(old.where { $0.rating == nil && $0.isNew && $0.kind == .tool }.count == 5)
      #expect(old.where { $0.maker == nil }.count == 5 && old.where { $0.maker != nil }.isEmpty)
      #expect(old.where { $0.maker.name == "ACME" }.isEmpty)
      #expect(new.where { $0.maker.name == "ACME" }.map(\.id) == [1, 5])
      #expect(old.sorted(by: \.color).map(\.id) == [0, 1, 2, 3, 4])
      #expect(old.sorted(by: \.size, ascending: false).first?.id == 4)
      #expect(old.sum(of: \.size) == 10 && new.sum(of: \.size) == 10)
      #expect(old.min(of: \.rating) == nil)
    }
  }

  @Test func olderVersionReadsOldAndNewClasses() throws {
    try withOlderVersion { older, _ in
      #expect(older.objects(Release1.Gadget.self).where { $0.size > 2 }.map(\.id) == [3, 4])
      #expect(older.object(ofType: Release2.Gadget.self, forPrimaryKey: 0)?.color == "grey")
      #expect(older.object(ofType: Release2.Gadget.self, forPrimaryKey: 5) == nil)
      // The class was added later.
      #expect(older.objects(Release2.Maker.self).isEmpty)
      #expect(older.objects(Release2.Maker.self).where { $0.name == "ACME" }.first == nil)
      #expect(older.object(ofType: Release2.Maker.self, forPrimaryKey: "ACME") == nil)
    }
  }

  @Test func handleFrozenBeforeChangeRemainsReadable() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.create(Release1.Gadget.self, value: ["id": 1, "name": "G"]) }
      let old = try #require(realm.objects(Release1.Gadget.self).first).freeze()
      // Attached before the file has the properties.
      let early = try #require(realm.objects(Release2.Gadget.self).first).freeze()
      let found = realm.objects(Release2.Gadget.self).freeze().where { $0.color == "grey" }
      try realm.write {
        let gadget = realm.object(ofType: Release2.Gadget.self, forPrimaryKey: 1)
        gadget?.color = "red"
        gadget?.notes.append("note")
        gadget?.name = "renamed"
      }
      #expect(old.name == "G" && early.name == "G")
      #expect(early.color == "grey" && early.notes.isEmpty && early.labels.isEmpty)
      #expect(found.count == 1 && found.first?.color == "grey" && found.first?.name == "G")
      #expect(early.thaw()?.color == "red")
    }
  }
}
