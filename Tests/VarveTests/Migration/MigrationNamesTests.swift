import Testing
import Varve

/// A class before and after a release that gives a stored name to another property.
enum Named1 {
  @Model final class MovedParcel: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var weight: Int
    @Persisted var colour: String
    @Persisted var next: MovedParcel?
  }
}

enum Named2 {
  @Model final class MovedParcel: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var grams: Int
    @Persisted var weight: Double
    @Persisted var color: String
    @Persisted var next: MovedParcel?
    @Persisted var any: AnyRealmValue

    override class func propertiesMapping() -> [String: String] {
      ["grams": "weight", "weight": "weight_kg", "color": "hue"]
    }
  }
}

/// In a migration, the old state has stored names, and the new state declared ones.
@Suite struct MigrationNamesTests {
  @Test func oldObjectsHaveStoredNamesAndNewObjectsDeclaredOnes() throws {
    try withMigratedFile { store in
      let before = try store.open(Named1.MovedParcel.self, version: 1)
      try before.write {
        let first = before.create(
          Named1.MovedParcel.self, value: ["id": 1, "weight": 1500, "colour": "red"])
        before.create(
          Named1.MovedParcel.self, value: ["id": 2, "weight": 500, "colour": "blue", "next": first])
      }
      let seen = EventRecorder<String>()
      let realm = try store.open(Named2.MovedParcel.self, version: 2) { migration, _ in
        seen.note("\(migration.oldSchema["MovedParcel"]?.properties.map(\.name) ?? [])")
        seen.note("\(migration.newSchema["MovedParcel"]?.properties.map(\.name).sorted() ?? [])")
        migration.renameProperty(onType: "MovedParcel", from: "colour", to: "color")
        migration.enumerateObjects(ofType: "MovedParcel") { old, new in
          guard let old, let new else { return }
          seen.note("\(old["weight"] ?? "-") \(new["grams"] ?? "-") \(new["color"] ?? "-")")
          new["weight"] = Double(old["weight"] as? Int ?? 0) / 1000
          if let next = new["next"] as? MigrationObject {
            new["any"] = next
            next["grams"] = 1501
            seen.note("\((new["any"] as? MigrationObject)?["grams"] ?? "-")")
          }
          #expect(throws: (any Error).self) { try new.value(forKey: "weight_kg") }
          #expect(throws: (any Error).self) { try old.value(forKey: "grams") }
        }
        migration.create("MovedParcel", value: ["id": 3, "grams": 7, "weight": 0.007])
      }
      #expect(
        seen.all == [
          #"["id", "weight", "colour", "next"]"#,
          #"["any", "color", "grams", "id", "next", "weight"]"#,
          "1500 1500 red", "500 500 blue", "1501",
        ])
      let all = realm.objects(Named2.MovedParcel.self)
      #expect(all.map(\.grams) == [1501, 500, 7])
      #expect(all.map(\.weight) == [1.5, 0.5, 0.007])
      #expect(all.map(\.color) == ["red", "blue", ""])
      // After the migration, a class of the file has its stored names again.
      let dynamic = try realm.dynamicObjects("MovedParcel")
      #expect(dynamic.map { $0["weight_kg"] as? Double } == [1.5, 0.5, 0.007])
      expectError(.unknownProperty) { try dynamic[0].value(forKey: "grams") }
    }
  }

  @Test func renamingToStoredNameOfAliasFails() throws {
    try withMigratedFile { store in
      _ = try store.open(Named1.MovedParcel.self, version: 1)
      expectError(.unknownProperty) {
        _ = try store.open(Named2.MovedParcel.self, version: 2) { migration, _ in
          migration.renameProperty(onType: "MovedParcel", from: "colour", to: "hue")
        }
      }
    }
  }
}
