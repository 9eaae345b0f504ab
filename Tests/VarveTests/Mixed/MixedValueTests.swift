import Foundation
import Testing
import Varve
import VarveStorage

@Suite struct MixedValueTests {
  @Test func everyTypeRoundTripsThroughPropertyListAndMap() throws {
    let scalars = MixedSample.scalars
    try withTemporaryRealm { realm, store in
      let crate = MixedBox(id: 1)
      for (index, value) in scalars.enumerated() {
        crate.items.append(value)
        crate.fields["\(index)"] = value
      }
      #expect(Array(crate.items) == scalars)
      try realm.write { realm.add(crate) }
      let frozen = crate.freeze()
      for value in scalars {
        try realm.write {
          crate.value = value
          crate.tag = value
          #expect(crate.value == value)
        }
        #expect(crate.value == value && crate.tag == value)
        #expect(realm.objects(MixedBox.self).where { $0.tag == value }.count == 1)
        try store.check()
      }
      #expect(frozen.value == .none)
      for crate in [crate, frozen] {
        #expect(Array(crate.items) == scalars)
        #expect(scalars.indices.allSatisfy { crate.items[$0] == scalars[$0] })
        #expect(scalars.indices.allSatisfy { crate.fields["\($0)"] == scalars[$0] })
      }
      try realm.write { crate.items.removeAll() }
      try realm.write { crate.fields.removeAll() }
      try realm.write { crate.value = 1 }
      #expect(try store.count(.blobs) == 0)
    }
  }

  @Test func valuesPersistAfterReopening() throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let scalars = MixedSample.scalars
    do {
      let realm = try store.open()
      try realm.write {
        for (id, value) in scalars.enumerated() { realm.add(MixedBox(id: id, value: value)) }
      }
    }
    try store.close()
    let crates = try store.open().objects(MixedBox.self)
    #expect(crates.map(\.value) == scalars)
  }

  @Test func unsetValueIsNone() throws {
    #expect(MixedBox().value == .none)
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.create(MixedBox.self, value: ["id": 1]) }
      #expect(realm.objects(MixedBox.self).first?.value == AnyRealmValue.none)
    }
  }

  @Test func typedAccessorsReturnNilForOtherTypes() {
    let value: AnyRealmValue = 5
    #expect(value.intValue == 5)
    #expect(value.doubleValue == nil && value.boolValue == nil && value.stringValue == nil)
    #expect(value.floatValue == nil && value.dataValue == nil && value.dateValue == nil)
    #expect(value.uuidValue == nil && value.objectIdValue == nil)
    #expect(value.object(Gadget.self) == nil)
    let literals: [AnyRealmValue] = [nil, true, 1, 1.5, "text"]
    #expect(literals == [.none, .bool(true), .int(1), .double(1.5), .string("text")])
    #expect(AnyRealmValue.object(Gadget()).object(MixedBox.self) == nil)
  }

  @Test func anyValuesConvertToMixedValues() throws {
    let uuid = UUID()
    let json = try JSONSerialization.jsonObject(
      with: Data(
        #"{"id": 1, "value": 2.5, "items": [null, true, 7, "x"], "fields": {"a": 1}}"#.utf8))
    let crate = try MixedBox(validating: json)
    #expect(crate.value == 2.5)
    #expect(Array(crate.items) == [.none, true, 7, "x"])
    #expect(crate.fields["a"] == 1)
    let made = try MixedBox(validating: [
      "value": uuid, "items": [1, Float(1), 1.0, NSNull(), false],
    ])
    #expect(made.value == .uuid(uuid))
    #expect(Array(made.items) == [.int(1), .float(1), .double(1), .none, .bool(false)])
    expectError(.typeMismatch) { try MixedBox(validating: ["value": Realm.self]) }
  }

  @Test func codableKeepsTypesRepresentableInJSON() throws {
    let values: [AnyRealmValue] = [.none, true, 5, 1.5, "text"]
    let decoded = try JSONDecoder().decode(
      [AnyRealmValue].self, from: try JSONEncoder().encode(values))
    #expect(decoded == values)
    let uuid = UUID()
    let coded = try JSONDecoder().decode(
      [AnyRealmValue].self, from: try JSONEncoder().encode([AnyRealmValue.uuid(uuid)]))
    #expect(coded == [.string(uuid.uuidString)])
    #expect(throws: EncodingError.self) {
      try JSONEncoder().encode([AnyRealmValue.object(Gadget())])
    }
  }

  @Test func updateSetsOnlyDifferentValues() throws {
    try withTemporaryRealm { realm, _ in
      let given: [String: Any] = ["id": 1, "value": "a", "items": [1, "b"], "fields": ["k": 2.5]]
      try realm.write { realm.create(MixedBox.self, value: given) }
      let before = realm.freeze()
      try realm.write { realm.create(MixedBox.self, value: given, update: .modified) }
      #expect(try realm.changes(since: before).objects(MixedBox.self).isEmpty)
      try realm.write {
        realm.create(MixedBox.self, value: ["id": 1, "value": "c"], update: .modified)
      }
      let changed = try realm.changes(since: before).objects(MixedBox.self).modifications
      #expect(changed.map { $0.properties.map(\.name) } == [["value"]])
      #expect(changed.first?.properties.first?.newValue as? String == "c")
    }
  }

  @Test func equalValueInNewBlobIsNotAChange() throws {
    let long = String(repeating: "x", count: 2_000)
    try withTemporaryRealm { realm, _ in
      let crate = MixedBox(id: 1, value: .string(long))
      try realm.write { realm.add(crate) }
      let before = realm.freeze()
      try realm.write { crate.value = 1 }
      try realm.write { crate.value = .string(long) }
      #expect(try realm.changes(since: before).objects(MixedBox.self).isEmpty)
      try realm.write { crate.value = .data(Data(long.utf8)) }
      #expect(try !realm.changes(since: before).objects(MixedBox.self).isEmpty)
    }
  }
}
