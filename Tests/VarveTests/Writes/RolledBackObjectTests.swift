import Foundation
import Testing
import Varve
import VarveCore

@Suite struct RolledBackObjectTests {
  private struct Stop: Error {}

  /// Stores an object in a write that is rolled back.
  private func rollBack(_ realm: Realm, _ body: () -> Void) {
    do {
      try realm.write {
        body()
        throw Stop()
      }
      Issue.record("The write was not rolled back.")
    } catch {
      #expect(error is Stop)
    }
  }

  @Test func handleStaysInvalidAfterKeyReuse() throws {
    try withTemporaryRealm { realm, _ in
      let lost = Crate(1, numbers: [1])
      rollBack(realm) {
        realm.add(lost)
        lost.notes["lost"] = "lost"
      }
      expectInvalid(lost)
      let numbers = lost.numbers
      let notes = lost.notes
      try realm.write {
        let kept = realm.create(
          Crate.self,
          value: ["id": 1, "label": "kept", "numbers": [7, 8], "notes": ["a": "b"]])
        kept.items.append(Item("kept"))
        #expect(lost.isInvalidated)
      }
      expectInvalid(lost)
      #expect(numbers.isEmpty)
      #expect(Array(numbers) == [])
      #expect(numbers.isInvalidated)
      #expect(notes.isEmpty)
      #expect(notes.keys == [])
      #expect(notes["a"] == nil)
      #expect(lost.items.first == nil)
      #expect(Array(lost.items).isEmpty)
      let kept = try #require(realm.object(ofType: Crate.self, forPrimaryKey: 1))
      #expect(lost.isSameObject(as: kept) == false)
      #expect(realm.resolve(lost) == nil)
      #expect(realm.objects(Crate.self).index(of: lost) == nil)
      expectError(.invalidatedObject) { try realm.write { lost.label = "x" } }
      expectError(.invalidatedObject) { try realm.write { numbers.append(1) } }
      expectError(.invalidatedObject) { try realm.write { notes["x"] = "y" } }
      expectError(.invalidatedObject) { try realm.write { _ = numbers.count } }
      expectError(.invalidatedObject) { try realm.write { _ = notes.count } }
      expectError(.invalidatedObject) { try realm.write { _ = Array(numbers) } }
      expectError(.invalidatedObject) { try realm.write { realm.delete(lost) } }
      expectError(.invalidatedObject) { try realm.write { realm.add(lost) } }
      #expect(kept.label == "kept")
      #expect(Array(kept.numbers) == [7, 8])
    }
  }

  private func expectInvalid(_ crate: Crate) {
    #expect(crate.isInvalidated)
    #expect(crate.label == "")
    #expect(crate.numbers.isEmpty)
    #expect(crate.best == nil)
    #expect(crate.realm != nil)
    // An integer key is still readable.
    #expect(crate.id == 1)
  }

  @Test func frozenCopyOfInvalidHandleIsInvalid() throws {
    try withTemporaryRealm { realm, _ in
      let lost = Crate(1, numbers: [1])
      var frozenInside: List<Int>?
      rollBack(realm) {
        realm.add(lost)
        frozenInside = lost.numbers.freeze()
      }
      try realm.write { realm.add(Crate(1, numbers: [7])) }
      let frozen = lost.numbers.freeze()
      #expect(frozen.isEmpty)
      #expect(Array(frozen).isEmpty)
      #expect(frozen.isInvalidated)
      #expect(frozen.thaw() == nil)
      #expect(lost.notes.freeze().isInvalidated)
      #expect(frozenInside?.thaw() == nil)
    }
  }

  @Test func linkedObjectsAreInvalid() throws {
    try withTemporaryRealm { realm, _ in
      let item = Item("a")
      let crate = Crate(1)
      crate.items.append(item)
      crate.best = item
      rollBack(realm) { realm.add(crate) }
      #expect(item.isInvalidated)
      try realm.write { realm.add(Item("a", count: 5)) }
      #expect(item.isInvalidated)
      #expect(item.count == 0)
      #expect(item.crates.isEmpty)
    }
  }

  @Test func handleFoundInsideWriteIsInvalid() throws {
    try withTemporaryRealm { realm, _ in
      var found: [Crate] = []
      var item: Item?
      rollBack(realm) {
        let crate = realm.create(Crate.self, value: ["id": 1, "best": ["name": "a"]])
        crate.items.append(Item("b"))
        found.append(contentsOf: realm.objects(Crate.self))
        if let crate = realm.object(ofType: Crate.self, forPrimaryKey: 1) { found.append(crate) }
        if let crate = realm.objects(Crate.self).first { found.append(crate) }
        if let crate = crate.items.first?.crates.first { found.append(crate) }
        item = crate.best
      }
      #expect(found.count == 4)
      try realm.write {
        realm.create(Crate.self, value: ["id": 1, "label": "kept"])
        realm.add(Item("a", count: 3))
      }
      for crate in found {
        #expect(crate.isInvalidated)
        #expect(crate.label == "")
      }
      #expect(item?.isInvalidated == true)
      #expect(item?.count == 0)
    }
  }

  @Test func handleOfCommittedWriteStaysValid() throws {
    try withTemporaryRealm { realm, store in
      let crate = Crate(1)
      try realm.write { realm.add(crate) }
      rollBack(realm) { crate.label = "lost" }
      #expect(crate.isInvalidated == false)
      try realm.write { crate.label = "kept" }
      #expect(crate.label == "kept")
      #expect(try store.open().object(ofType: Crate.self, forPrimaryKey: 1)?.label == "kept")
    }
  }

  @Test func rolledBackDeletionKeepsObject() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1, numbers: [1, 2])
      let item = Item("a")
      try realm.write {
        realm.add(crate)
        crate.items.append(item)
      }
      rollBack(realm) {
        realm.delete(item)
        realm.delete(crate)
        #expect(crate.isInvalidated)
      }
      #expect(crate.isInvalidated == false)
      #expect(Array(crate.numbers) == [1, 2])
      #expect(crate.items.map(\.name) == ["a"])
      #expect(item.crates.count == 1)
      // An object deleted and stored again under the same key in one write.
      rollBack(realm) {
        realm.delete(crate)
        realm.add(Crate(1, numbers: [9]))
      }
      #expect(Array(crate.numbers) == [1, 2])
    }
  }

  @Test func emptyWriteAfterRollbackCreatesNoVersion() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(Stamp(1)) }
      let version = realm.version
      expectCancelled {
        try realm.write {
          realm.add(Stamp(2))
          throw Cancelled()
        }
      }
      try realm.write {}
      #expect(realm.version == version)
      // The ids still increase.
      try realm.write { realm.add(Stamp(3)) }
      #expect(realm.version.number == version.number + 1)
    }
  }

  @Test func idsNeverDecrease() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Stamp(0)) }
      var last: UInt64 = 0
      for round in 0..<10 {
        let stamp = Stamp(round)
        if round % 2 == 0 {
          rollBack(realm) { realm.add(stamp) }
        } else {
          try realm.write { realm.add(stamp) }
        }
        #expect(stamp.handle.id > last)
        last = stamp.handle.id
      }
      #expect(realm.objects(Stamp.self).map(\.number) == [0, 1, 3, 5, 7, 9])
      // Collections and blob values of a rolled-back write leave nothing in the file.
      let stamp = try #require(realm.objects(Stamp.self).first)
      rollBack(realm) {
        stamp.words.append("lost")
        stamp.notes["lost"] = "lost"
        stamp.data = Data(repeating: 1, count: 3000)
      }
      let other = Stamp(100)
      try realm.write {
        realm.add(other)
        other.words.append("kept")
        other.notes["kept"] = "kept"
        other.data = Data(repeating: 2, count: 2000)
      }
      #expect(stamp.words.isEmpty && stamp.notes.isEmpty && stamp.data == nil)
      #expect(Array(other.words) == ["kept"])
      #expect(other.notes.keys == ["kept"])
      #expect(other.data == Data(repeating: 2, count: 2000))
    }
  }
}
