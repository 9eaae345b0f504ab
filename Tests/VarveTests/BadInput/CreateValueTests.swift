import Foundation
import Testing
import Varve

@Suite struct CreateValueTests {
  /// Expects an error that names the class and the property, and expects that no object is stored.
  private func refuse(
    _ realm: Realm, _ value: Any, _ code: Realm.Error.Code, _ property: String?,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let before = realm.objects(Parcel.self).count
    let error = thrownError { try realm.write { realm.create(Parcel.self, value: value) } }
    #expect(error?.code == code, "\(value)", sourceLocation: location)
    #expect(error?.className == "Parcel", sourceLocation: location)
    #expect(error?.propertyName == property, sourceLocation: location)
    #expect(realm.objects(Parcel.self).count == before, sourceLocation: location)
    let early = thrownError { try Parcel(validating: value) }
    #expect(early?.code == code, sourceLocation: location)
    #expect(early?.propertyName == property, sourceLocation: location)
  }

  @Test func nullForRequiredPropertyIsRejected() throws {
    try withTemporaryRealm { realm, _ in
      for name in [
        "id", "title", "flag", "small", "ratio", "share", "when", "raw", "uuid", "oid", "kind",
      ] {
        refuse(realm, [name: NSNull()], .missingValue, name)
        refuse(realm, [name: Optional<Int>.none as Any], .missingValue, name)
      }
      refuse(realm, ["tags": ["a", NSNull()]], .missingValue, "tags")
      refuse(realm, ["prices": ["a": NSNull()]], .missingValue, "prices")
      refuse(realm, ["items": [NSNull()]], .missingValue, "items")
      let parcel = try realm.write {
        realm.create(
          Parcel.self,
          value: [
            "maybe": NSNull(), "maybeTitle": NSNull(), "item": NSNull(), "tags": NSNull(),
            "maybeSizes": [1, NSNull()],
          ])
      }
      #expect(parcel.maybe == nil && parcel.maybeTitle == nil && parcel.item == nil)
      #expect(Array(parcel.maybeSizes) == [1, nil])
    }
  }

  @Test func mistypedValuesAreRejected() throws {
    try withTemporaryRealm { realm, _ in
      let wrong: [(String, Any)] = [
        ("id", "7"), ("id", 1.5), ("id", true), ("id", UInt64.max), ("id", Double.infinity),
        ("title", 7), ("title", Data()), ("title", true), ("flag", 2), ("flag", 1.0),
        ("flag", "true"),
        ("small", 128), ("small", -129), ("small", 1e10), ("medium", Int(Int32.max) + 1),
        ("maybe", "x"), ("ratio", "1.5"), ("ratio", true), ("share", "1"), ("share", 1e300),
        ("when", 7.0), ("when", "2020-13-01"), ("raw", "abc"), ("raw", [1, 2]),
        ("uuid", "no uuid"), ("uuid", 7), ("oid", "123"), ("oid", 7), ("kind", "huge"),
        ("kind", 1), ("maybeTitle", 1), ("tags", "a"), ("tags", ["a": "b"]), ("tags", ["a", 1]),
        ("sizes", ["1"]), ("sizes", [true]), ("kinds", ["tiny", "huge"]), ("prices", [1.0]),
        ("prices", ["a": "b"]), ("item", 7), ("item", Crate(1)), ("items", [Crate(1)]),
        ("items", Item("a")), ("items", ["a"]),
      ]
      for (name, value) in wrong { refuse(realm, [name: value], .typeMismatch, name) }
    }
  }

  @Test func nestedErrorNamesNestedClass() throws {
    try withTemporaryRealm { realm, _ in
      for value in [
        ["item": ["name": 7]], ["items": [["name": "a"], ["name": 7]]],
      ] as [[String: Any]] {
        let error = thrownError { try realm.write { realm.create(Parcel.self, value: value) } }
        #expect(error?.code == .typeMismatch)
        #expect(error?.className == "Item")
        #expect(error?.propertyName == "name")
      }
      #expect(realm.objects(Item.self).isEmpty)
    }
  }

  @Test func nonObjectValuesAreRejected() throws {
    try withTemporaryRealm { realm, _ in
      refuse(realm, 7, .invalidInput, nil)
      refuse(realm, "text", .invalidInput, nil)
      refuse(realm, NSNull(), .invalidInput, nil)
      refuse(realm, Array(repeating: 1, count: 40), .invalidInput, nil)
      refuse(realm, [1, 2], .typeMismatch, "title")
    }
  }

  @Test func errorTruncatesRejectedValue() throws {
    try withTemporaryRealm { realm, _ in
      let text = String(repeating: "long ", count: 100_000)
      let error = thrownError { try realm.write { realm.create(Parcel.self, value: ["id": text]) } }
      let value = try #require(error?.value)
      #expect(value.hasPrefix("long "))
      #expect(value.utf8.count < 300)
      #expect("\(try #require(error))".contains("Parcel.id"))
    }
  }

  // MARK: JSON

  private func json(_ text: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8), options: [.fragmentsAllowed])
  }

  @Test func createAcceptsJSON() throws {
    try withTemporaryRealm { realm, _ in
      let value = try json(
        """
        {"id": 9007199254740993, "title": "x", "flag": true, "small": -128, "medium": 7,
         "maybe": null, "ratio": 2, "share": 0.1, "kind": "large", "maybeTitle": null,
         "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "oid": "000102030405060708090a0b",
         "tags": ["a", "é"], "sizes": [0, 1, -1], "maybeSizes": [1, null],
         "kinds": ["large"], "prices": {"a": 1, "b": 0.5},
         "item": {"name": "i", "count": 1}, "items": [{"name": "j"}, {"name": "k", "count": 0}]}
        """)
      let parcel = try realm.write { realm.create(Parcel.self, value: value) }
      #expect(parcel.id == 9_007_199_254_740_993)
      #expect(parcel.title == "x" && parcel.flag && parcel.small == -128 && parcel.medium == 7)
      #expect(parcel.maybe == nil && parcel.ratio == 2 && parcel.share == 0.1)
      #expect(parcel.kind == .large && parcel.maybeTitle == nil)
      #expect(parcel.uuid.uuidString == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
      #expect(parcel.oid.stringValue == "000102030405060708090a0b")
      #expect(Array(parcel.tags) == ["a", "é"] && Array(parcel.sizes) == [0, 1, -1])
      #expect(Array(parcel.maybeSizes) == [1, nil] && Array(parcel.kinds) == [.large])
      #expect(parcel.prices["a"] == 1 && parcel.prices["b"] == 0.5)
      #expect(parcel.item?.count == 1 && parcel.items.map(\.name) == ["j", "k"])
    }
  }

  @Test func mistypedJSONIsRejected() throws {
    try withTemporaryRealm { realm, _ in
      for (text, property) in [
        (#"{"flag": 2}"#, "flag"), (#"{"flag": -1}"#, "flag"), (#"{"flag": 0.5}"#, "flag"),
        (#"{"flag": "true"}"#, "flag"),
        (#"{"id": true}"#, "id"), (#"{"id": 1.5}"#, "id"), (#"{"id": "1"}"#, "id"),
        (#"{"id": 1e30}"#, "id"), (#"{"id": 18446744073709551615}"#, "id"),
        (#"{"small": 200}"#, "small"), (#"{"ratio": false}"#, "ratio"),
        (#"{"sizes": [1, true]}"#, "sizes"), (#"{"title": 1}"#, "title"),
        (#"{"kind": "huge"}"#, "kind"), (#"{"prices": {"a": true}}"#, "prices"),
      ] {
        refuse(realm, try json(text), .typeMismatch, property)
      }
      refuse(realm, try json(#"{"title": null}"#), .missingValue, "title")
      refuse(realm, try json("7"), .invalidInput, nil)
      refuse(realm, try json("null"), .invalidInput, nil)
    }
  }

  @Test func exactNumbersAreConverted() throws {
    try withTemporaryRealm { realm, _ in
      let parcel = try realm.write {
        realm.create(
          Parcel.self,
          value: [
            "id": Int8(5), "small": 100 as UInt64, "medium": 3.0, "maybe": NSNumber(value: 6),
            "ratio": 3, "share": 2 as UInt8, "flag": NSNumber(value: true), "sizes": [1.0, 2.0],
          ])
      }
      #expect(parcel.id == 5 && parcel.small == 100 && parcel.medium == 3 && parcel.maybe == 6)
      #expect(parcel.ratio == 3 && parcel.share == 2 && parcel.flag)
      #expect(Array(parcel.sizes) == [1, 2])
    }
  }

  @Test func zeroAndOneConvertToBool() throws {
    try withTemporaryRealm { realm, _ in
      let values: [Any] = [1, Int8(1), UInt64(1), NSNumber(value: 1), try json("1"), true]
      for value in values {
        #expect(Parcel(value: ["flag": value]).flag)
        let parcel = try realm.write { realm.create(Parcel.self, value: ["flag": value]) }
        #expect(parcel.flag)
        try realm.write { try parcel.setValue(0, forKey: "flag") }
        #expect(!parcel.flag)
        try realm.write { realm.delete(parcel) }
      }
    }
  }

  @Test func unknownKeysAreIgnored() throws {
    try withTemporaryRealm { realm, _ in
      let value = try json(
        #"{"a": 1, "id": 7, "new": {"x": [null]}, "item": {"name": "i", "revision": 3}, "z": null}"#
      )
      let parcel = try realm.write { realm.create(Parcel.self, value: value) }
      #expect(parcel.id == 7 && parcel.item?.name == "i")
      #expect(Parcel(value: value).id == 7)
      #expect(try Parcel(validating: value).id == 7)
      // A property name passed as a key must exist.
      expectError(.unknownProperty) { try realm.write { try parcel.setValue(1, forKey: "new") } }
    }
  }

  @Test func unmanagedObjectsAreCopied() throws {
    try withTemporaryRealm { realm, _ in
      let item = Item("a", count: 3)
      let loop = Node()
      loop.next = loop
      try realm.write {
        let parcel = realm.create(Parcel.self, value: ["item": item, "items": [item, item]])
        #expect(parcel.item?.count == 3 && parcel.items.map(\.name) == ["a", "a"])
        let node = realm.create(Node.self, value: loop)
        #expect(node.next == node)
        let stored = realm.create(Parcel.self, value: ["id": 2, "item": parcel.item as Any])
        #expect(stored.item == parcel.item)
      }
      #expect(item.realm == nil && loop.realm == nil && loop.next === loop)
      #expect(realm.objects(Item.self).count == 1 && realm.objects(Node.self).count == 1)
    }
  }

  // MARK: Primary keys

  @Test func duplicatePrimaryKeyIsRejected() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        realm.create(Parcel.self, value: ["id": 1, "title": "first"])
        realm.create(Item.self, value: ["name": "a"])
      }
      let error = thrownError { try realm.write { realm.create(Parcel.self, value: ["id": 1]) } }
      #expect(error?.code == .duplicatePrimaryKey)
      #expect(error?.className == "Parcel" && error?.propertyName == "id" && error?.value == "1")
      let text = thrownError { try realm.write { realm.add(Item("a")) } }
      #expect(text?.code == .duplicatePrimaryKey)
      #expect(text?.className == "Item" && text?.propertyName == "name")
      #expect(text?.value == "\"a\"")
      // Within one write transaction, and within one object graph.
      expectError(.duplicatePrimaryKey) { try realm.write { realm.add([Item("b"), Item("b")]) } }
      expectError(.duplicatePrimaryKey) {
        try realm.write {
          realm.create(Parcel.self, value: ["id": 2, "items": [["name": "c"], ["name": "c"]]])
        }
      }
      #expect(realm.objects(Item.self).count == 1)
      #expect(realm.objects(Parcel.self).map(\.title) == ["first"])
      // After deletion the key is available again.
      try realm.write {
        realm.deleteAll()
        realm.add(Item("a", count: 2))
      }
      #expect(realm.object(ofType: Item.self, forPrimaryKey: "a")?.count == 2)
    }
  }

  @Test func updateWithoutPrimaryKeyIsRejected() throws {
    try withTemporaryRealm { realm, _ in
      let error = thrownError { try realm.write { realm.add(Stamp(1), update: .all) } }
      #expect(error?.code == .noPrimaryKey)
      #expect(error?.className == "Stamp")
    }
  }

  @Test func storedPrimaryKeyCannotBeChanged() throws {
    try withTemporaryRealm { realm, _ in
      let item = Item("a")
      let crate = Crate(1)
      try realm.write {
        realm.add(item)
        realm.add(crate)
      }
      let text = thrownError { try realm.write { item.name = "b" } }
      #expect(text?.code == .primaryKeyChanged)
      #expect(text?.className == "Item" && text?.propertyName == "name" && text?.value == "\"b\"")
      expectError(.primaryKeyChanged) { try realm.write { crate.id = 2 } }
      try realm.write {
        item.name = "a"
        crate.id = 1
      }
      #expect(item.name == "a" && crate.id == 1)
    }
  }

  @Test func unmanagedObjectKeepsFirstError() throws {
    try withTemporaryRealm { realm, _ in
      let item = Item(value: ["name": "a", "count": "many"])
      #expect(item.name == "" || item.name == "a")
      let error = thrownError { try realm.write { realm.add(item) } }
      #expect(error?.code == .typeMismatch)
      #expect(error?.propertyName == "count")
      let crate = Crate(1)
      crate.items.append(item)
      expectError(.typeMismatch) { try realm.write { realm.add(crate) } }
      let stored = Crate(2)
      try realm.write { realm.add(stored) }
      expectError(.typeMismatch) { try realm.write { stored.best = item } }
      expectError(.typeMismatch) { try realm.write { stored.items.append(item) } }
      expectError(.typeMismatch) { try realm.write { stored.places["a"] = item } }
      #expect(realm.objects(Crate.self).count == 1 && realm.objects(Item.self).isEmpty)
    }
  }
}
