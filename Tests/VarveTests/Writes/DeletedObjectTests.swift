import Foundation
import Testing
import Varve

@Suite struct DeletedObjectTests {
  @Test func deletedObjectReadsZeroValues() throws {
    try withTemporaryRealm { realm, _ in
      let parcel = Parcel()
      parcel.id = 9
      parcel.title = "x"
      parcel.flag = true
      parcel.small = 3
      parcel.ratio = 1.5
      parcel.when = Date(timeIntervalSince1970: 77)
      parcel.raw = Data([1])
      parcel.kind = .large
      parcel.maybe = 4
      parcel.tags.append("t")
      try realm.write { realm.add(parcel) }
      let frozen = realm.freeze()
      try realm.write { realm.delete(parcel) }
      #expect(parcel.isInvalidated)
      #expect(parcel.id == 9)
      #expect(parcel.title == "")
      #expect(parcel.flag == false)
      #expect(parcel.small == 0)
      // Not the declared default, which is 1.
      #expect(parcel.ratio == 0)
      #expect(parcel.when == Date(timeIntervalSince1970: 0))
      #expect(parcel.raw == Data())
      #expect(parcel.uuid == UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
      #expect(parcel.oid.stringValue == "000000000000000000000000")
      #expect(parcel.kind == .tiny)
      #expect(parcel.maybe == nil)
      #expect(parcel.tags.isEmpty && parcel.tags.first == nil && Array(parcel.tags).isEmpty)
      #expect(parcel.tags[3] == "")
      #expect(parcel.prices["a"] == nil && parcel.prices.isEmpty)
      // Frozen objects outlive the deletion.
      let old = try #require(frozen.object(ofType: Parcel.self, forPrimaryKey: 9))
      #expect(old.title == "x" && old.kind == .large && Array(old.tags) == ["t"])
    }
  }

  @Test func listReadsZeroPastItsEnd() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1, numbers: [1, 2])
      try realm.write {
        realm.add(crate)
        crate.items.append(objectsIn: [Item("a"), Item("b")])
        crate.words.append("w")
      }
      #expect(crate.numbers[2] == 0)
      #expect(crate.numbers[-1] == 0)
      #expect(crate.words[1] == "")
      #expect(crate.items[2].isInvalidated)
      #expect(crate.items[2].name == "")
      #expect(realm.objects(Item.self)[2].isInvalidated)
    }
  }

  @Test func encodingDeletedObjectThrows() throws {
    try withTemporaryRealm { realm, _ in
      let coded = CodedCrate()
      try realm.write { realm.add(coded) }
      _ = try JSONEncoder().encode(coded)
      try realm.write { realm.delete(coded) }
      expectError(.invalidatedObject) { try JSONEncoder().encode(coded) }
    }
  }

  @Test func usingDeletedObjectThrows() throws {
    try withTemporaryRealm { realm, _ in
      let deleted = Item("a")
      let crate = Crate(1)
      try realm.write {
        realm.add(deleted)
        realm.add(crate)
      }
      try realm.write { realm.delete(deleted) }
      for use in [
        { deleted.count = 1 }, { crate.best = deleted }, { crate.items.append(deleted) },
        { crate.places["a"] = deleted }, { realm.add(deleted) }, { realm.delete(deleted) },
        { realm.create(Crate.self, value: ["id": 2, "best": deleted]) },
      ] {
        let error = thrownError { try realm.write { use() } }
        #expect(error?.code == .invalidatedObject)
        // The class whose property the object was assigned to, where there is one.
        let isPut = error?.propertyName != nil && error?.value == "object of class Item"
        #expect(error?.className == (isPut ? "Crate" : "Item"))
      }
      #expect(crate.items.isEmpty)
      #expect(crate.best == nil)
    }
  }
}

@Model final class CodedCrate: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var label: String
}
