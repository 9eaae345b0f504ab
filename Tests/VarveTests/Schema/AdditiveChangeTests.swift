import Foundation
import Testing
import Varve
import VarveCore

@Suite struct AdditiveChangeTests {
  /// A store with gadgets of the first release.
  private func withGadgets(
    _ count: Int = 5, _ body: (Realm, TemporaryRealm) throws -> Void
  ) throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        for id in 0..<count {
          realm.create(Release1.Gadget.self, value: ["id": id, "name": "G\(id)", "size": id])
        }
      }
      try body(realm, store)
    }
  }

  @Test func oldRowsReadDefaultsOfAddedProperties() throws {
    try withGadgets { realm, store in
      let before = realm.freeze()
      try realm.register(Release2.Gadget.self)
      for gadget in realm.objects(Release2.Gadget.self) {
        #expect(gadget.name == "G\(gadget.id)" && gadget.size == gadget.id)
        #expect(gadget.color == "grey" && gadget.rating == nil && gadget.kind == .tool)
        #expect(gadget.notes.isEmpty && gadget.labels.isEmpty && gadget.maker == nil)
        #expect(gadget.photo == Data() && gadget.made == Date(timeIntervalSince1970: 0))
        #expect(gadget.isNew)
      }
      let frozen = before.objects(Release2.Gadget.self)
      #expect(frozen.count == 5)
      #expect(frozen.first?.color == "grey" && frozen.first?.notes.count == 0)
      try store.check()
    }
  }

  @Test func oldRowsCanBeEditedThroughBothReleases() throws {
    try withGadgets { realm, store in
      let old = try #require(realm.object(ofType: Release1.Gadget.self, forPrimaryKey: 3))
      try realm.register(Release2.Gadget.self)
      try realm.write { old.size = 33 }
      let new = try #require(realm.object(ofType: Release2.Gadget.self, forPrimaryKey: 3))
      #expect(old.size == 33 && new.size == 33 && new.color == "grey" && new.isNew)
      try realm.write {
        new.notes.append("first")
        new.labels["a"] = 1
        new.color = "red"
        new.photo = Data(repeating: 1, count: 4_000)
        old.name = "renamed"
      }
      #expect(old.name == "renamed" && old.size == 33)
      #expect(new.name == "renamed" && Array(new.notes) == ["first"] && new.labels["a"] == 1)
      #expect(new.color == "red" && new.photo.count == 4_000)
      try store.check()
    }
  }

  @Test func computedDefaultsAreEvaluatedOncePerRow() throws {
    try withGadgets(50) { realm, store in
      try realm.register(Release2.Gadget.self)
      let gadgets = realm.objects(Release2.Gadget.self)
      let tokens = gadgets.map(\.token)
      let serials = gadgets.map(\.serial)
      #expect(Set(tokens).count == 50 && Set(serials).count == 50)
      #expect(!tokens.contains(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))))
      #expect(gadgets.map(\.token) == tokens)
      try store.close()
      let again = try store.open().objects(Release2.Gadget.self)
      #expect(again.map(\.token) == tokens && again.map(\.serial) == serials)
      try store.check()
    }
  }

  @Test func addedIndexContainsOldRows() throws {
    try withGadgets(100) { realm, store in
      #expect(try store.report().indexEntryCount == 0)
      try realm.register(Release2.Gadget.self)
      // name, color and serial.
      #expect(try store.report().indexEntryCount == 300)
      try store.check()
      #expect(realm.objects(Release2.Gadget.self).where { $0.name == "G77" }.map(\.id) == [77])
      #expect(realm.objects(Release2.Gadget.self).where { $0.color == "grey" }.count == 100)
    }
  }

  @Test func olderModelKeepsUndeclaredIndexesAndLinks() throws {
    try withGadgets { realm, store in
      try realm.register(Release2.Gadget.self)
      let maker = try realm.write { () -> Release2.Maker in
        let maker = realm.create(Release2.Maker.self, value: ["name": "ACME"])
        for gadget in realm.objects(Release2.Gadget.self) {
          gadget.maker = maker
          gadget.notes.append(String(repeating: "n", count: 600))
        }
        return maker
      }
      let old = realm.objects(Release1.Gadget.self)
      try realm.write {
        old[0].name = "renamed"
        realm.create(Release1.Gadget.self, value: ["id": 50, "name": "new"])
        realm.delete(old[1])
      }
      try store.check()
      #expect(maker.gadgets.map(\.id) == [0, 2, 3, 4])
      #expect(realm.object(ofType: Release2.Gadget.self, forPrimaryKey: 50)?.color == "grey")
      #expect(realm.objects(Release2.Gadget.self).where { $0.name == "renamed" }.count == 1)
      try realm.write { realm.delete(maker) }
      #expect(realm.objects(Release2.Gadget.self).allSatisfy { $0.maker == nil })
      try store.check()
    }
  }

  @Test func changedDefaultDoesNotChangeOldRows() throws {
    try withGadgets(2) { realm, store in
      try realm.register(Release2.Gadget.self)
      let frozen = realm.freeze()
      try realm.register(Release3.Gadget.self)
      #expect(realm.objects(Release3.Gadget.self).map(\.color) == ["grey", "grey"])
      #expect(frozen.objects(Release3.Gadget.self).map(\.color) == ["grey", "grey"])
      #expect(realm.objects(Release3.Gadget.self).map(\.size) == [0, 1])
      try realm.write { realm.create(Release3.Gadget.self, value: ["id": 9, "name": "n"]) }
      let new = realm.object(ofType: Release2.Gadget.self, forPrimaryKey: 9)
      #expect(new?.color == "black" && new?.size == 99 && new?.isNew == true)
      try store.close()
      let again = try store.open().objects(Release3.Gadget.self)
      #expect(again.map(\.color) == ["grey", "grey", "black"])
    }
  }

  @Test func earlierHandleAccessesAddedProperties() throws {
    try withGadgets(1) { realm, store in
      let gadget = try #require(realm.objects(Release2.Gadget.self).first)
      #expect(gadget.color == "grey" && gadget.notes.isEmpty)
      let notes = gadget.notes
      // The first write that uses the class adds the properties.
      try realm.write {
        gadget.color = "red"
        gadget.photo = Data(repeating: 3, count: 1_000)
        notes.append("a")
        gadget.notes.append("b")
        gadget.labels["x"] = 4
        #expect(gadget.color == "red" && gadget.photo.count == 1_000)
        #expect(gadget.notes.count == 2 && notes[1] == "b" && gadget.labels["x"] == 4)
      }
      #expect(gadget.color == "red" && gadget.photo.count == 1_000)
      #expect(gadget.notes.map(\.self) == ["a", "b"] && notes[0] == "a" && notes.count == 2)
      #expect(gadget.labels["x"] == 4 && gadget.labels.keys == ["x"])
      let token = gadget.token
      #expect(gadget.token == token && realm.objects(Release2.Gadget.self).first?.token == token)
      try store.check()
    }
  }

  @Test func handleOfOldModelReadsNewLayout() throws {
    try withGadgets(1) { realm, store in
      try realm.write { realm.create(BlobOwner.self, value: ["data": Data([1, 2, 3])]) }
      let old = try #require(realm.objects(BlobOwner.self).first)
      #expect(old.data == Data([1, 2, 3]))
      try realm.register(BlobOwnerOfTomorrow.BlobOwner.self)
      let new = try #require(realm.objects(BlobOwnerOfTomorrow.BlobOwner.self).first)
      try realm.write {
        new.extra = UUID()
        new.texts.append("a")
      }
      #expect(old.data == Data([1, 2, 3]) && old.texts.count == 1 && old.texts[0] == "a")
      #expect(old.texts.map(\.self) == ["a"] && old.map.isEmpty)
      try store.check()
      _ = try store.open()
    }
  }

  @Test func rolledBackSchemaChangeIsDiscarded() throws {
    try withGadgets(2) { realm, store in
      var seen: [Release2.Gadget] = []
      expectCancelled {
        try realm.write {
          realm.create(Release2.Gadget.self, value: ["id": 7, "name": "x"])
          seen = Array(realm.objects(Release2.Gadget.self))
          throw Cancelled()
        }
      }
      #expect(realm.objects(Release2.Gadget.self).map(\.id) == [0, 1])
      try realm.write { realm.create(OtherGadget.Gadget.self, value: ["id": 8, "weight": 2.5]) }
      #expect(seen[0].color == "grey" && seen[0].name == "G0" && seen[0].rating == nil)
      #expect(realm.objects(OtherGadget.Gadget.self).map(\.weight) == [1.5, 1.5, 2.5])
      // The rows of the file get a layout with the number of the discarded layout.
      try realm.write { for gadget in realm.objects(OtherGadget.Gadget.self) { gadget.weight = 7 } }
      for (id, gadget) in seen.prefix(2).enumerated() {
        #expect(gadget.color == "grey" && gadget.name == "G\(id)" && gadget.size == id)
        #expect(gadget.rating == nil && gadget.notes.isEmpty && gadget.isNew)
      }
      try store.check()
      try realm.write { seen[0].color = "red" }
      #expect(seen[0].color == "red" && realm.objects(OtherGadget.Gadget.self)[0].weight == 7)
      try store.check()
    }
  }
}

enum BlobOwnerOfTomorrow {
  @Model final class BlobOwner: Object {
    @Persisted var extra: UUID?
    @Persisted var texts: List<String>
  }
}

enum OtherGadget {
  @Model final class Gadget: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var weight = 1.5
  }
}
