import Foundation
import Testing
import Varve

@Model(unique: [["country", "number"]]) private final class Plated: Object, Codable {
  @Persisted(primaryKey: true) var id: String
  @Persisted(unique: true) var badge: Int?
  @Persisted(unique: true) var code: String
  @Persisted var country: String?
  @Persisted var number: Int?
  @Persisted var next: Plated?
  @Persisted var hits = 0
}

/// Unique values are checked when they are set, in the order of the documents.
struct UpsertUniqueValuesTests {
  private func withObjects(_ body: (Realm) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        realm.add(Plated(id: "a", badge: 1, code: "x", country: "A", number: 1))
        realm.add(Plated(id: "b", badge: 2, code: "y", country: "B", number: 1))
      }
      try body(realm)
    }
  }

  private func badges(_ realm: Realm) -> [String] {
    realm.objects(Plated.self).sorted(by: \.id)
      .map { "\($0.id)\($0.badge.map(String.init) ?? "-")\($0.code)" }
  }

  private func upsert(_ documents: String, in realm: Realm) throws {
    let patches: [ObjectPatch<Plated>] = try decoded(documents)
    try realm.write { try realm.upsert(patches) }
  }

  @Test func laterDocumentTakesReleasedValue() throws {
    try withObjects { realm in
      try upsert(#"[{"id":"b","badge":3},{"id":"a","badge":2}]"#, in: realm)
      #expect(badges(realm) == ["a2x", "b3y"])
      // A new object, too, whichever object links to it.
      try upsert(
        #"[{"id":"a","badge":null,"next":{"id":"c","hits":4}},{"id":"c","badge":2,"code":"z"}]"#,
        in: realm)
      #expect(badges(realm) == ["a-x", "b3y", "c2z"])
      #expect(realm.object(ofType: Plated.self, forPrimaryKey: "a")?.next?.hits == 4)
      try upsert(
        #"[{"id":"d","code":"w","next":{"id":"b","badge":5}},{"id":"e","badge":3,"code":"v"}]"#,
        in: realm)
      #expect(badges(realm) == ["a-x", "b5y", "c2z", "d-w", "e3v"])
    }
  }

  @Test func valuesAreSwappedThroughNullOrAnotherValue() throws {
    try withObjects { realm in
      try upsert(
        #"[{"id":"a","badge":null,"hits":1},{"id":"b","badge":1,"hits":2},{"id":"a","badge":2}]"#,
        in: realm)
      #expect(badges(realm) == ["a2x", "b1y"])
      #expect(realm.objects(Plated.self).sorted(by: \.id).map(\.hits) == [1, 2])
      try upsert(
        #"[{"id":"a","code":"t"},{"id":"b","code":"x"},{"id":"a","code":"y"}]"#, in: realm)
      #expect(badges(realm) == ["a2y", "b1x"])
      try upsert(
        #"[{"id":"a","number":null},{"id":"b","country":"A"},{"id":"a","country":"B","number":1}]"#,
        in: realm)
      let objects = realm.objects(Plated.self).sorted(by: \.id)
      #expect(objects.map(\.country) == ["B", "A"] && objects.map(\.number) == [1, 1])
    }
  }

  @Test func valueOfEarlierDocumentIsRefused() throws {
    try withObjects { realm in
      for (documents, property, value) in [
        (#"[{"id":"a","badge":2},{"id":"b","badge":1}]"#, "badge", "2"),
        (#"[{"id":"a","hits":9,"badge":2},{"id":"b","badge":3}]"#, "badge", "2"),
        (#"[{"id":"n","badge":2,"code":"n"},{"id":"b","badge":3}]"#, "badge", "2"),
        (#"[{"id":"a","code":"y"},{"id":"b","code":"x"}]"#, "code", "\"y\""),
        // The properties of one object are set one after the other.
        (#"[{"id":"a","country":"B","number":2}]"#, "country, number", "\"B\", 1"),
      ] {
        let error = thrownError { try upsert(documents, in: realm) }
        #expect(error?.code == .duplicateValue && error?.className == "Plated", "\(documents)")
        #expect(error?.propertyName == property && error?.value == value, "\(documents)")
        #expect(badges(realm) == ["a1x", "b2y"], "\(documents)")
        #expect(realm.objects(Plated.self).map(\.hits) == [0, 0], "\(documents)")
      }
    }
  }

  /// A failure in the middle leaves a transaction that can only be rolled back.
  @Test func caughtFailureFailsWrite() throws {
    try withObjects { realm in
      let patches: [ObjectPatch<Plated>] = try decoded(
        #"[{"id":"b","code":"q","hits":5},{"id":"a","badge":2}]"#)
      let error = thrownError {
        try realm.write {
          realm.create(Plated.self, value: ["id": "c", "code": "r"])
          expectError(.duplicateValue) { try realm.upsert(patches) }
          expectError(.duplicateValue) { try realm.upsert([patches[0]]) }
          expectError(.duplicateValue) { try realm.checkWrite() }
        }
      }
      #expect(error?.code == .duplicateValue)
      #expect(badges(realm) == ["a1x", "b2y"])
      #expect(realm.objects(Plated.self).map(\.hits) == [0, 0])
    }
  }
}
