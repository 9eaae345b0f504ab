import Testing
import Varve

/// A class before and after a migration.
enum MixedOwners {
  @Model final class MixedOwner: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var any: AnyRealmValue
    @Persisted var anys: List<AnyRealmValue>
    @Persisted var map: Map<String, AnyRealmValue>
    @Persisted var anySet: MutableSet<AnyRealmValue>
    @Persisted var plain: MixedOwned?
  }

  @Model final class MixedOwned: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var count: Int
  }
}

enum MixedOwners2 {
  @Model final class MixedOwner: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var any: AnyRealmValue
    @Persisted var anys: List<AnyRealmValue>
    @Persisted var map: Map<String, AnyRealmValue>
    @Persisted var anySet: MutableSet<AnyRealmValue>
    @Persisted var plain: MixedOwned?
  }

  @Model final class MixedOwned: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var count: String
  }
}

/// A link in a mixed value of a dynamic object is a dynamic object, like a plain link.
@Suite struct DynamicMixedLinkTests {
  private func fill(_ realm: Realm) throws {
    try realm.write {
      let owned = realm.create(MixedOwners.MixedOwned.self, value: ["id": 1, "count": 42])
      let owner = realm.create(MixedOwners.MixedOwner.self, value: ["id": 1, "plain": owned])
      owner.any = .object(owned)
      owner.anys.append(.object(owned))
      owner.map["k"] = .object(owned)
      owner.anySet.insert(.object(owned))
      owner.anys.append(AnyRealmValue.fromArray([.object(owned)]))
    }
  }

  /// The linked objects that a dynamic object reaches, each by its property `count`.
  private func counts(_ owner: DynamicObject) throws -> [String] {
    let anys = try owner.dynamicList("anys", of: AnyRealmValue.self)
    let nested: AnyRealmValue? = if case .list(let list) = anys[1] { list.first } else { nil }
    let values: [Any?] = [
      owner["plain"], owner["any"], object(anys.first), object(nested),
      object(try owner.dynamicMap("map", of: AnyRealmValue.self)["k"]),
      object(try owner.dynamicSet("anySet", of: AnyRealmValue.self).first),
      try owner.value(forKeyPath: "any"),
      try (owner["anys"] as? List<AnyRealmValue>)?.value(forKey: "self")[0],
    ]
    return values.map { value in
      guard let object = value as? DynamicObject else { return "\(value ?? "nil")" }
      return "\(object["count"] ?? "nil")"
    }
  }

  private func object(_ value: AnyRealmValue?) -> Object? {
    if case .object(let object) = value { object } else { nil }
  }

  @Test func mixedLinkOfDynamicObjectIsDynamic() throws {
    try withTemporaryRealm { realm, _ in
      try fill(realm)
      let expected = Array(repeating: "42", count: 8)
      let owner = try #require(try realm.dynamicObjects("MixedOwner").first)
      #expect(try counts(owner) == expected)
      #expect(try counts(owner.freeze()) == expected)
      let written = try realm.write { try counts(owner) }
      #expect(written == expected)
      // A typed object still has typed links.
      let typed = try #require(realm.objects(MixedOwners.MixedOwner.self).first)
      #expect(object(typed.any) is MixedOwners.MixedOwned)
    }
  }

  @Test func mixedLinkInMigrationIsDynamicOnBothSides() throws {
    try withMigratedFile { store in
      try fill(
        try store.open(MixedOwners.MixedOwner.self, MixedOwners.MixedOwned.self, version: 1))
      let seen = EventRecorder<[String]>()
      let realm = try store.open(
        MixedOwners2.MixedOwner.self, MixedOwners2.MixedOwned.self, version: 2
      ) { migration, _ in
        migration.enumerateObjects(ofType: "MixedOwned") { old, new in
          new?["count"] = "was \(old?["count"] ?? "-")"
        }
        try migration.enumerateObjects(ofType: "MixedOwner") { old, new in
          seen.note(try counts(try #require(old)))
          seen.note(try counts(try #require(new)))
        }
      }
      #expect(seen.all.first == Array(repeating: "42", count: 8))
      #expect(seen.all.last == Array(repeating: "was 42", count: 8))
      let owner = try #require(realm.objects(MixedOwners2.MixedOwner.self).first)
      #expect((object(owner.any) as? MixedOwners2.MixedOwned)?.count == "was 42")
    }
  }
}
