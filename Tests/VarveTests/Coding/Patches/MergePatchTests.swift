import Foundation
import Testing
import Varve

/// A class whose mixed values are patched as documents.
@Model private final class Merged: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var any: AnyRealmValue
  @Persisted var byName: Map<String, AnyRealmValue>
  @Persisted var list: List<AnyRealmValue>
  @Persisted var part: MergedPart?
}

@Model private final class MergedPart: EmbeddedObject, Codable {
  @Persisted var any: AnyRealmValue
}

/// A JSON merge patch (RFC 7386) of mixed values.
struct MergePatchTests {
  struct Row: CustomTestStringConvertible {
    let original: String
    let patch: String
    let result: String

    init(_ original: String, _ patch: String, _ result: String) {
      (self.original, self.patch, self.result) = (original, patch, result)
    }

    var testDescription: String { "\(original) \(patch)" }
  }

  /// All rows of appendix A of RFC 7386.
  static let appendix = [
    Row(#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    Row(#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
    Row(#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
    Row(#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
    Row(#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    Row(#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
    Row(#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
    Row(#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
    Row(#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
    Row(#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
    Row(#"{"a":"foo"}"#, "null", "null"),
    Row(#"{"a":"foo"}"#, #""bar""#, #""bar""#),
    Row(#"{"e":null}"#, #"{"a":1}"#, #"{"a":1,"e":null}"#),
    Row("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
    Row("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
  ]

  /// Rows about nulls at other places.
  static let others = [
    Row("null", #"{"a":null,"b":{"c":null,"d":1}}"#, #"{"b":{"d":1}}"#),
    Row("5", #"{"a":null}"#, "{}"),
    Row(#"{"a":[1]}"#, #"{"a":{"b":null,"c":[null]}}"#, #"{"a":{"c":[null]}}"#),
    Row(
      "{}", #"{"a":[null,{"b":null,"c":{"d":null}},[null]]}"#,
      #"{"a":[null,{"b":null,"c":{"d":null}},[null]]}"#),
    Row(#"[{"a":1}]"#, #"[{"b":null}]"#, #"[{"b":null}]"#),
    Row(
      #"{"a":{"b":{"c":1,"d":2}}}"#, #"{"a":{"b":{"c":null},"e":null}}"#, #"{"a":{"b":{"d":2}}}"#),
    Row(#"{"a":{"b":1}}"#, #"{"a":{}}"#, #"{"a":{"b":1}}"#),
    Row(#"{"a":1}"#, #"{"a":{}}"#, #"{"a":{}}"#),
    Row(#"{"a":null}"#, #"{"a":{"b":null}}"#, #"{"a":{}}"#),
  ]

  private func document(_ any: String, id: Int = 1) throws -> ObjectPatch<Merged> {
    try decoded(#"{"id":\#(id),"any":\#(any),"byName":{"k":\#(any)},"part":{"any":\#(any)}}"#)
  }

  /// Checks the three mixed values of an object, except an entry whose null removes it.
  private func check(_ object: Merged, _ row: Row) throws {
    #expect(try sortedJSON(object.any) == row.result)
    #expect(try sortedJSON(object.part?.any) == row.result)
    if row.patch == "null" {
      #expect(object.byName.isEmpty)
    } else {
      #expect(try sortedJSON(object.byName["k"]) == row.result)
    }
  }

  private func object(_ original: String) throws -> Merged {
    try decoded(
      #"{"id":1,"any":\#(original),"byName":{"k":\#(original)},"part":{"any":\#(original)}}"#)
  }

  @Test(arguments: appendix + others) func patchMergesStoredValue(_ row: Row) throws {
    try withTemporaryRealm { realm, _ in
      let object = try object(row.original)
      try realm.write { realm.add(object) }
      #expect(try sortedJSON(object.any) == row.original.replacing(" ", with: ""))
      // The second time, nothing is changed.
      for _ in 0..<2 {
        try realm.write { try realm.upsert(try document(row.patch)) }
        try check(object, row)
      }
      try realm.write { try document(row.patch).apply(to: object) }
      try check(object, row)
    }
  }

  @Test(arguments: appendix + others) func patchMergesUnmanagedValue(_ row: Row) throws {
    let object = try object(row.original)
    for _ in 0..<2 {
      try document(row.patch).apply(to: object)
      try check(object, row)
    }
  }

  /// An object that is inserted is the result of a patch of nothing.
  @Test(arguments: appendix + others) func insertedObjectIsResultOfPatch(_ row: Row) throws {
    try withTemporaryRealm { realm, _ in
      let inserted = try realm.write { try realm.upsert(try document(row.patch, id: 2)) }
      let object = Merged(id: 3, any: .none)
      try document(row.patch, id: 3).apply(to: object)
      try realm.write { try realm.upsert(try document(row.patch, id: 2)) }
      #expect(try sortedJSON(inserted.any) == sortedJSON(object.any))
      #expect(try sortedJSON(inserted.byName) == sortedJSON(object.byName))
      #expect(try sortedJSON(inserted.part) == sortedJSON(object.part))
      let null = #"":null"#
      if !row.patch.contains("[") { #expect(try !sortedJSON(inserted.byName).contains(null)) }
    }
  }

  @Test func listIsReplacedWithItsNulls() throws {
    try withTemporaryRealm { realm, _ in
      let list = #"[null,{"a":null,"b":[{"c":null}]}]"#
      let patch: ObjectPatch<Merged> = try decoded(#"{"id":1,"list":\#(list)}"#)
      for _ in 0..<2 {
        let object = try realm.write { try realm.upsert(patch) }
        #expect(try sortedJSON(object.list) == list)
      }
    }
  }
}
