import Foundation
import Testing
import Varve
import VarveTestSupport

/// A name that is used again after an alias, and one of a chain.
@Model final class NamedParcel: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var grams: Int
  @Persisted var weight: Double
  @Persisted var box: NamedBox?
  @Persisted var boxes: List<NamedBox>
  @Persisted var label: NamedLabel?
  @Persisted var tags: Map<String, NamedBox?>
  @Persisted(fullText: true) var text: String
  @Persisted var note: String

  override class func propertiesMapping() -> [String: String] {
    [
      "grams": "weight", "weight": "weight_kg", "box": "boxes", "boxes": "box_list",
      "text": "note", "note": "text",
    ]
  }
}

/// Each property is stored under the name of the other; the class is stored under a name that is
/// also a stored property.
@Model final class NamedBox: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var first: Int
  @Persisted var second: Int
  @Persisted(originProperty: "box") var parcels: LinkingObjects<NamedParcel>

  override class func propertiesMapping() -> [String: String] {
    ["first": "second", "second": "first"]
  }
}

@Model final class NamedLabel: EmbeddedObject, Codable {
  @Persisted var a: String
  @Persisted var b: String

  override class func propertiesMapping() -> [String: String] { ["a": "b", "b": "NamedBox"] }
}

final class NamedParcelView: Projection<NamedParcel>, @unchecked Sendable {
  @Projected(\NamedParcel.weight) var heaviness
  @Projected(\NamedParcel.box?.first) var boxFirst
}

/// A name that is given as text is the declared one, whatever the file calls the property.
@Suite struct DeclaredNamesTests {
  /// Parcel `i` of 5 has 1,000 `i` grams, the weight 6 - `i`, and box `i`, with first `i` and
  /// second 10 - `i`.
  private func fill(_ realm: Realm) throws {
    try realm.write {
      for i in 1...5 {
        let box = NamedBox(value: ["id": i, "first": i, "second": 10 - i])
        realm.create(
          NamedParcel.self,
          value: [
            "id": i, "grams": i * 1000, "weight": Double(6 - i), "box": box, "boxes": [box],
            "label": ["a": "a\(i)", "b": "b\(6 - i)"], "tags": ["t": box], "text": "word\(i)",
            "note": "note\(i)",
          ])
      }
    }
  }

  private func withParcels(_ body: (Realm, TemporaryRealm) throws -> Void) throws {
    try withTemporaryRealm { realm, store in
      try fill(realm)
      try body(realm, store)
      try store.check("named")
    }
  }

  /// Runs a check live, frozen, in a write, and after a commit of another realm.
  private func everywhere(_ body: (Realm) throws -> Void) throws {
    try withParcels { realm, store in
      try body(realm)
      try body(realm.freeze())
      try realm.write { try body(realm) }
      try store.open().write { _ = realm.create(NamedBox.self, value: ["id": 100]) }
      try realm.refresh()
      try body(realm)
    }
  }

  private static let filters: [(String, [Int])] = [
    ("weight > 3", [1, 2]), ("grams > 3000", [4, 5]), ("weight BETWEEN {2, 3}", [3, 4]),
    ("box.first > 3", [4, 5]), ("box.second > 7", [1, 2]), ("ANY boxes.second < 7", [4, 5]),
    ("boxes.@sum.first > 4", [5]), ("ANY tags.@values.first == 2", [2]),
    ("SUBQUERY(boxes, $b, $b.first > 3 AND $b.second > 5).@count > 0", [4]),
    ("label.a = 'a2'", [2]), ("label.b = 'b5'", [1]), ("text TEXT 'word3'", [3]),
    ("note = 'note4'", [4]), ("ANY box.parcels.weight > 4", [1]), ("weight < box.first", [4, 5]),
    ("ANY box.@links.NamedParcel.box.weight < 2", [5]),
    ("TRUEPREDICATE SORT(weight ASC) LIMIT(2)", [4, 5]),
    ("TRUEPREDICATE SORT(box.first DESC) LIMIT(1)", [5]),
    ("TRUEPREDICATE DISTINCT(weight)", [1, 2, 3, 4, 5]),
  ]

  @Test(arguments: filters) func filterReadsDeclaredProperty(text: String, ids: [Int]) throws {
    try everywhere { realm in
      let found = try realm.objects(NamedParcel.self).filter(text)
      #expect(found.map(\.id).sorted() == ids)
    }
  }

  @Test func sortsAggregatesAndLookupsReadDeclaredProperties() throws {
    try everywhere { realm in
      let all = realm.objects(NamedParcel.self)
      #expect(all.sorted(byKeyPath: "weight").map(\.id) == [5, 4, 3, 2, 1])
      #expect(all.sorted(byKeyPath: "grams", ascending: false).map(\.id) == [5, 4, 3, 2, 1])
      #expect(all.sorted(byKeyPath: "box.second").map(\.id) == [5, 4, 3, 2, 1])
      #expect(all.sorted(by: \.weight).map(\.id) == [5, 4, 3, 2, 1])
      #expect(all.where { $0.weight > 3 && $0.box.first == 2 }.map(\.id) == [2])
      #expect(try all.sum(ofProperty: "weight") as Double == 15)
      #expect(try all.max(ofProperty: "grams") as Int? == 5000)
      #expect(try all.average(ofProperty: "weight") == 3)
      #expect(all.sum(of: \.weight) == 15)
      #expect(try all.distinct(by: ["box.first" as String]).count == 5)
      #expect(try all.index(matching: "weight = 2") == 3)
      #expect(all.search("word4", in: \.text).map(\.object.id) == [4])
      let boxes = realm.objects(NamedBox.self)
      #expect(try boxes.filter("@links.NamedParcel.box.weight > 3").map(\.id) == [1, 2])
      #expect(try boxes.filter("ANY parcels.grams > 3000").map(\.id) == [4, 5])
      #expect(try all[0].boxes.max(ofProperty: "first") as Int? == 1)
      let tagged = try #require(all[4].tags["t"] ?? nil)
      #expect(try tagged.value(forKey: "first") as? Int == 5)
      #expect(try all.value(forKey: "weight") as? [Double] == [5, 4, 3, 2, 1])
      #expect(try all[0].value(forKeyPath: "box.second") as? Int == 9)
      #expect(try all.value(forKeyPath: "@sum.grams") as? Int == 15000)
      #expect(all[0]["weight"] as? Double == 5)
      let views = realm.objects(NamedParcelView.self)
      #expect(views.sorted(by: \.heaviness).map(\.heaviness) == [1, 2, 3, 4, 5])
      #expect(try views.filter("weight > 3").map(\.boxFirst) == [1, 2])
    }
  }

  @Test func storedNameOfAliasIsUnknown() throws {
    try everywhere { realm in
      let all = realm.objects(NamedParcel.self)
      for text in ["weight_kg > 3", "box_list.@count > 0", "box.third = 1", "label.NamedBox = ''"] {
        expectError(.unknownProperty) { try all.filter(text) }
      }
      expectError(.unknownProperty) { try all.sum(ofProperty: "weight_kg") as Double }
      expectError(.unknownProperty) { try all.distinct(by: ["weight_kg" as String]) }
      expectError(.unknownProperty) { try all[0].value(forKey: "weight_kg") }
    }
    try withParcels { realm, _ in
      expectError(.unknownProperty) {
        try realm.objects(NamedParcel.self).observe(keyPaths: ["weight_kg"]) { _ in }
      }
      let text = "weight_kg > 3"
      let error = thrownError { try realm.objects(NamedParcel.self).filter(text) }
      #expect("\(String(describing: error))".contains("properties: id, grams, weight, box, boxes"))
      // Like any other key that the class does not have.
      let made = try realm.write {
        realm.create(NamedParcel.self, value: ["id": 9, "weight_kg": 7.5, "weight": 2.5])
      }
      #expect(made.weight == 2.5 && made.grams == 0)
      let schema = made.objectSchema
      #expect(schema["weight_kg"] == nil && schema["weight"]?.columnName == "weight_kg")
      #expect(schema["grams"]?.columnName == "weight")
      #expect(schema.indexes.map(\.propertyNames) == [["text"]])
      let boxSchema = NamedBox().objectSchema
      #expect(boxSchema["parcels"]?.linkOriginPropertyName == "box")
      #expect(realm.schema["NamedBox"]?["first"]?.columnName == "second")
    }
  }

  @Test func classOfFileHasStoredNames() throws {
    try everywhere { realm in
      let all = try realm.dynamicObjects("NamedParcel")
      let dynamic = "weight > 3000"
      #expect(try all.filter(dynamic).count == 2)
      let linked = "weight_kg > 3 AND boxes.second < 3"
      #expect(try all.filter(linked).count == 2)
      #expect(all.sorted(byKeyPath: "weight_kg").first?["id"] as? Int == 5)
      let declared = "grams > 3"
      expectError(.unknownProperty) { try all.filter(declared) }
    }
  }

  @Test func valuesAreSetByDeclaredNames() throws {
    try withParcels { realm, _ in
      let parcel = try #require(realm.object(ofType: NamedParcel.self, forPrimaryKey: 1))
      try realm.write {
        try parcel.setValue(8.5, forKey: "weight")
        parcel["grams"] = 77
        try parcel.box?.setValue(4, forKey: "first")
      }
      #expect(parcel.weight == 8.5 && parcel.grams == 77)
      #expect(parcel.box?.first == 4 && parcel.box?.second == 9)
      try realm.write { try realm.objects(NamedParcel.self).setValue(0.5, forKey: "weight") }
      #expect(realm.objects(NamedParcel.self).map(\.weight) == [0.5, 0.5, 0.5, 0.5, 0.5])
      #expect(realm.objects(NamedParcel.self).map(\.grams) == [77, 2000, 3000, 4000, 5000])
      let json = try JSONEncoder().encode(parcel.label)
      #expect(String(decoding: json, as: UTF8.self).contains(#""a":"a1""#))
      let label = try JSONDecoder().decode(NamedLabel.self, from: Data(#"{"a":"x","b":"y"}"#.utf8))
      #expect(label.a == "x" && label.b == "y")
    }
  }

  @Test func plansShowDeclaredNames() throws {
    try withParcels { realm, _ in
      let all = realm.objects(NamedParcel.self)
      let text = all.filter("grams > 3000 AND weight < 3").explain()
      #expect("\(text)".contains("index grams"), "\(text)")
      #expect("\(text)".contains("weight < 3") && !"\(text)".contains("weight_kg"), "\(text)")
      let sorted = all.sorted(byKeyPath: "grams").explain()
      #expect("\(sorted)".contains("index grams"), "\(sorted)")
    }
  }

  @Test func keyPathsOfObserversAreDeclaredNames() throws {
    try withParcels { realm, _ in
      let parcels = realm.objects(NamedParcel.self)
      let (byText, linked, byPath) = (
        EventRecorder<ObservedChange>(), EventRecorder<ObservedChange>(),
        EventRecorder<ObservedChange>()
      )
      let (ofObject, ofView) = (EventRecorder<[String]>(), EventRecorder<[String]>())
      let first = parcels[0]
      let tokens = [
        try parcels.observe(keyPaths: ["weight"]) { byText.note(ObservedChange($0)) },
        try parcels.observe(keyPaths: ["box.first"]) { linked.note(ObservedChange($0)) },
        try parcels.observe(keyPaths: [\NamedParcel.weight]) { byPath.note(ObservedChange($0)) },
        try first.observe(keyPaths: ["weight"]) { (change: ObjectChange<NamedParcel>) in
          if case .change(_, let properties) = change { ofObject.note(properties.map(\.name)) }
        },
        try NamedParcelView(projecting: first).observe(keyPaths: [\.heaviness]) { change in
          if case .change(_, let properties) = change { ofView.note(properties.map(\.name)) }
        },
      ]
      _ = (byText.wait(for: 1), linked.wait(for: 1), byPath.wait(for: 1))
      try realm.write {
        parcels[1].grams = 1
        parcels[1].box?.second = 1
      }
      try realm.write { parcels[0].weight = 0 }
      try realm.write { parcels[2].box?.first = 0 }
      #expect(byText.wait(for: 2) == [.initial(5), .update(5, [], [], [0])])
      #expect(byPath.wait(for: 2) == [.initial(5), .update(5, [], [], [0])])
      #expect(linked.wait(for: 2) == [.initial(5), .update(5, [], [], [2])])
      #expect(ofObject.wait(for: 1) == [["weight"]])
      #expect(ofView.wait(for: 1) == [["heaviness"]])
      tokens.forEach { $0.invalidate() }
    }
  }
}
