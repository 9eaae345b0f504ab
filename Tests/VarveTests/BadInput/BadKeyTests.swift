import Foundation
import Testing
import Varve

@Suite struct BadKeyTests {
  private let badKeys = ["a.b", ".", "$", "$a", "a.", "$.", "ключ.x"]
  private let goodKeys = ["", "a", "a$", " ", "é", "\0", "\u{FFFF}", "a b/c:d", "😀"]

  @Test func invalidMapKeyIsRejected() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1)
      try realm.write {
        realm.add(crate)
        crate.notes["kept"] = "kept"
      }
      for key in badKeys {
        for use in [
          { crate.notes[key] = "x" }, { crate.notes.updateValue("x", forKey: key) },
          { crate.notes.set([(key: "good", value: "x"), (key: key, value: "x")]) },
          {
            crate.notes.merge(
              [(key: "good", value: "x"), (key: key, value: "x")], uniquingKeysWith: { $1 })
          },
        ] {
          let error = thrownError {
            try realm.write {
              use()
              // A failed operation is undone immediately.
              #expect(crate.notes.keys == ["kept"])
              #expect(crate.notes["kept"] == "kept")
            }
          }
          #expect(error?.code == .invalidKey)
          #expect(error?.className == "Crate" && error?.propertyName == "notes")
          #expect(error?.value == "\"\(key)\"")
        }
        expectError(.invalidKey) {
          try realm.write {
            realm.create(Crate.self, value: ["id": 2, "notes": ["good": "x", key: "y"]])
          }
        }
        #expect(crate.notes.keys == ["kept"])
      }
      #expect(realm.objects(Crate.self).count == 1)
      // Looking up or removing an invalid key is not misuse: the key is missing.
      try realm.write {
        for key in badKeys {
          #expect(crate.notes[key] == nil)
          crate.notes.removeObject(for: key)
          crate.notes[key] = nil
        }
      }
    }
  }

  @Test func validMapKeysAreAccepted() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1)
      for key in goodKeys { crate.notes[key] = "before \(key)" }
      try realm.write {
        realm.add(crate)
        for key in goodKeys { crate.notes[key] = key }
      }
      for key in goodKeys { #expect(crate.notes[key] == key) }
      #expect(crate.notes.count == goodKeys.count)
    }
  }

  @Test func addingUnmanagedMapWithInvalidKeyThrows() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1)
      crate.notes["a.b"] = "x"
      let error = thrownError { try realm.write { realm.add(crate) } }
      #expect(error?.code == .invalidKey)
      #expect(error?.className == "Crate" && error?.propertyName == "notes")
      #expect(crate.realm == nil)
    }
  }

  @Test func mapSetAndMergeAreAtomic() throws {
    try withTemporaryRealm { realm, _ in
      let foreign = try TemporaryRealm()
      defer { foreign.end() }
      let stranger = Item("stranger")
      let other = try foreign.open()
      try other.write { other.add(stranger) }
      let crate = Crate(1)
      let item = Item("a")
      try realm.write {
        realm.add(crate)
        crate.places["kept"] = item
      }
      for use in [
        { crate.places.set([(key: "a", value: item), (key: "b", value: stranger)]) },
        {
          crate.places.merge(
            [(key: "kept", value: nil), (key: "b", value: stranger)], uniquingKeysWith: { $1 })
        },
      ] {
        let error = thrownError {
          try realm.write {
            use()
            #expect(crate.places.keys == ["kept"])
            #expect(crate.places["kept"]??.name == "a")
          }
        }
        #expect(error?.code == .foreignObject)
      }
      try realm.write {
        crate.places.set([(key: "b", value: item), (key: "c", value: nil)])
        crate.places.merge(
          [(key: "c", value: Item("c")), (key: "d", value: nil)], uniquingKeysWith: { $1 })
      }
      #expect(crate.places.keys == ["b", "c", "d"])
      #expect(crate.places["c"]??.name == "c")
      try realm.write { crate.places.set(crate.places) }
      #expect(crate.places.isEmpty)
    }
  }

  @Test func throwingMergeChangesNothing() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1)
      try realm.write {
        realm.add(crate)
        crate.notes["a"] = "1"
        expectCancelled {
          try crate.notes.merge(
            [(key: "b", value: "2"), (key: "a", value: "3")],
            uniquingKeysWith: { _, _ in throw Cancelled() })
        }
      }
      #expect(crate.notes.keys == ["a"])
    }
  }

  @Test func hundredKilobyteKeysAreSupported() throws {
    try withTemporaryRealm { realm, store in
      let stem = String(repeating: "kéy ", count: 20_000)
      let keys = (0..<5).map { stem + "\($0)" }
      try realm.write {
        for key in keys.reversed() {
          let keyed = realm.create(KeyedRow.self, value: ["key": key, "code": key])
          for key in keys { keyed.notes[key] = String(key.suffix(1)) }
        }
      }
      try store.close()
      let again = try store.open()
      for (number, key) in keys.enumerated() {
        let keyed = try #require(again.object(ofType: KeyedRow.self, forPrimaryKey: key))
        #expect(keyed.key == key)
        #expect(again.objects(KeyedRow.self).where { $0.code == key }.count == 1)
        #expect(keyed.notes[key] == "\(number)")
        #expect(keyed.notes.keys == keys)
      }
      #expect(again.object(ofType: KeyedRow.self, forPrimaryKey: stem) == nil)
      #expect(again.objects(KeyedRow.self).sorted(by: \.code).map(\.key) == keys)
      expectError(.duplicatePrimaryKey) {
        try again.write { again.create(KeyedRow.self, value: ["key": keys[2]]) }
      }
      try again.write {
        let keyed = try #require(again.object(ofType: KeyedRow.self, forPrimaryKey: keys[1]))
        keyed.notes[keys[3]] = nil
        keyed.code = "short"
        again.delete(try #require(again.object(ofType: KeyedRow.self, forPrimaryKey: keys[0])))
      }
      #expect(again.object(ofType: KeyedRow.self, forPrimaryKey: keys[0]) == nil)
      #expect(again.objects(KeyedRow.self).where { $0.code == keys[1] }.isEmpty)
      #expect(again.objects(KeyedRow.self).where { $0.code == "short" }.first?.key == keys[1])
      #expect(again.objects(KeyedRow.self).where { $0.code == "short" }.first?.notes.count == 4)
    }
  }
}
