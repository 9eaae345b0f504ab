import Foundation
import Testing
import Varve

/// A class whose properties have other names in documents and in the file.
@Model(unique: [["zone", "row"]]) private final class AliasedShelf: Object, Codable {
  @Persisted(primaryKey: true) var id: String
  @Persisted(unique: true) var badge: Int?
  @Persisted var zone: String?
  @Persisted var row: Int?
  @Persisted var level: Int
  @Persisted var warmth: Warmth?
  @Persisted var any: AnyRealmValue
  @Persisted var fields: Map<String, Int>
  @Persisted var next: AliasedShelf?
  @Persisted var others: List<AliasedShelf>
  @Persisted var boxes: List<AliasedBox>

  enum CodingKeys: String, CodingKey {
    case id, zone, fields, others, boxes
    case badge = "c_badge"
    case row = "c_row"
    case level = "c_level"
    case warmth = "c_warmth"
    case any = "c_any"
    case next = "c_next"
  }

  override class func propertiesMapping() -> [String: String] {
    // The stored names of two are the declared names of others.
    [
      "badge": "s_badge", "zone": "row", "row": "zone", "level": "s_level", "any": "s_any",
      "fields": "s_fields", "next": "s_next", "warmth": "s_warmth",
    ]
  }
}

@Model private final class AliasedBox: EmbeddedObject, Codable {
  @Persisted var width: Int
  @Persisted var fields: Map<String, Int>
  @Persisted var owner: AliasedShelf?

  enum CodingKeys: String, CodingKey {
    case fields, owner
    case width = "c_width"
  }

  override class func propertiesMapping() -> [String: String] {
    ["width": "s_width", "fields": "s_fields", "owner": "s_owner"]
  }
}

/// Errors name the path in the document and the declared property.
struct CodingErrorsTests {
  /// Returns the path and the text of a decoding error.
  private func fault(_ decode: () throws -> Void) -> (path: String, text: String)? {
    func found(_ context: DecodingError.Context) -> (path: String, text: String) {
      let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
      return (path.joined(separator: "."), context.debugDescription)
    }
    do {
      try decode()
    } catch DecodingError.typeMismatch(_, let context) {
      return found(context)
    } catch DecodingError.valueNotFound(_, let context) {
      return found(context)
    } catch DecodingError.keyNotFound(_, let context) {
      return found(context)
    } catch DecodingError.dataCorrupted(let context) {
      return found(context)
    } catch {
      Issue.record(error)
    }
    return nil
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let members: String
    let path: String
    let property: String
    var links = LinkCoding.nested

    var testDescription: String { members }
  }

  static let cases = [
    Case(members: #""c_level":"x""#, path: "c_level", property: "AliasedShelf.level"),
    Case(members: #""c_warmth":"x""#, path: "c_warmth", property: "AliasedShelf.warmth"),
    Case(members: #""c_any":[[1e999]]"#, path: "c_any.0.0", property: "AliasedShelf.any"),
    Case(members: #""fields":{"a":1,"b":"x"}"#, path: "fields.b", property: "AliasedShelf.fields"),
    Case(
      members: #""c_next":{"id":"b","c_level":1,"c_next":{"id":"c","c_level":"x"}}"#,
      path: "c_next.c_next.c_level", property: "AliasedShelf.level"),
    Case(
      members:
        #""others":[{"id":"b","c_level":1},{"id":"c","c_level":1,"boxes":[{"c_width":[]}]}]"#,
      path: "others.1.boxes.0.c_width", property: "AliasedBox.width"),
    Case(
      members: #""boxes":[{"c_width":1,"owner":{"id":null,"c_level":1}}]"#,
      path: "boxes.0.owner.id", property: "AliasedShelf.id"),
    Case(
      members: #""boxes":[{"c_width":1,"fields":{"q":null}},{"c_width":1,"fields":{"q":"x"}}]"#,
      path: "boxes.1.fields.q", property: "AliasedBox.fields"),
    Case(
      members: #""fields":{"a":1,"b.c":2}"#, path: "fields.b.c", property: "AliasedShelf.fields"),
    Case(members: #""c_any":[{"$x":1}]"#, path: "c_any.0.$x", property: "AliasedShelf.any"),
    Case(
      members: #""boxes":[{"c_width":1,"fields":{"$x":1}}]"#, path: "boxes.0.fields.$x",
      property: "AliasedBox.fields"),
    Case(members: #""c_next":5"#, path: "c_next", property: "AliasedShelf.next"),
    Case(members: #""c_next":5"#, path: "c_next", property: "AliasedShelf.next", links: .keys),
    Case(
      members: #""others":["a",5]"#, path: "others.1", property: "AliasedShelf.others", links: .keys
    ),
    Case(
      members: #""boxes":[{"c_width":1,"owner":{}}]"#, path: "boxes.0.owner",
      property: "AliasedBox.owner", links: .keys),
    Case(
      members: #""c_any":{"x":[{"$link":{"class":"AliasedShelf","key":5}}]}"#,
      path: "c_any.x.0.$link.key",
      property: "AliasedShelf.any", links: .keys),
  ]

  @Test(arguments: cases) func decodingErrorsNamePathAndProperty(_ test: Case) throws {
    let document = #"{"id":"a","c_level":0,\#(test.members)}"#
      .replacing(#""c_level":0,"c_level""#, with: #""c_level""#)
    func check(_ fault: (path: String, text: String)?, within outer: String = "") {
      #expect(fault?.path == outer + test.path)
      #expect(fault?.text.hasPrefix("Property '\(test.property)': ") == true)
    }
    func configure(_ decoder: JSONDecoder) { decoder.userInfo[.varveLinks] = test.links }
    if !test.members.contains("null}},") {
      check(fault { _ = try decoded(document, as: AliasedShelf.self, configure) })
      check(
        fault { _ = try decoded("[\(document)]", as: [AliasedShelf].self, configure) }, within: "0."
      )
    }
    check(fault { _ = try decoded(document, as: ObjectPatch<AliasedShelf>.self, configure) })
    check(
      fault { _ = try decoded("[\(document)]", as: [ObjectPatch<AliasedShelf>].self, configure) },
      within: "0.")
  }

  @Test func missingKeyNamesDocumentAndProperty() {
    let found = fault {
      _ = try decoded(
        #"{"id":"a","c_level":1,"others":[{"id":"b"}]}"#, as: AliasedShelf.self)
    }
    #expect(
      found?.path == "others.0" && found?.text == "Property 'AliasedShelf.level' has no value.")
  }

  @Test func errorsOfAppliedPatchesNameDeclaredProperty() throws {
    try withTemporaryRealm { realm, _ in
      let shelf = try realm.write {
        realm.add(AliasedShelf(id: "b", badge: 2, zone: "B", row: 1, level: 0, any: .none))
        return realm.create(
          AliasedShelf.self, value: ["id": "a", "badge": 1, "zone": "A", "row": 1] as [String: Any])
      }
      let before = try sortedJSON(realm.objects(AliasedShelf.self))
      for (members, code, className, property) in [
        (#""c_badge":2"#, Realm.Error.Code.duplicateValue, "AliasedShelf", "badge"),
        (#""zone":"B""#, .duplicateValue, "AliasedShelf", "zone, row"),
        (#""c_next":{"id":"c","c_level":1,"c_badge":2}"#, .duplicateValue, "AliasedShelf", "badge"),
        (#""boxes":[{}]"#, .missingValue, "AliasedBox", "width"),
        (#""c_next":{"id":"c"}"#, .missingValue, "AliasedShelf", "level"),
      ] {
        let patch: ObjectPatch<AliasedShelf> = try decoded(#"{"id":"a",\#(members)}"#)
        for error in [
          thrownError { try realm.write { try realm.upsert(patch) } },
          thrownError { try realm.write { try patch.apply(to: shelf) } },
        ] {
          #expect(error?.code == code && error?.className == className, "\(members)")
          #expect(error?.propertyName == property, "\(members)")
        }
        #expect(try sortedJSON(realm.objects(AliasedShelf.self)) == before, "\(members)")
      }
    }
  }
}
