import Foundation
import Testing
import Varve
import VarveJSONLines
import VarveTestSupport

@Suite struct BadTextTests {
  private static let header =
    #"{"format":"varve","version":1,"classes":[{"name":"A","properties":[{"name":"k","type":"string","primaryKey":true},{"name":"n","type":"int8"},{"name":"o","type":"double","optional":true},{"name":"to","type":"link","class":"A","optional":true},{"name":"l","type":"int64","collection":"list"},{"name":"s","type":"string","collection":"set"},{"name":"d","type":"mixed","collection":"dictionary"},{"name":"e","type":"link","class":"E","optional":true}]},{"name":"B","properties":[]},{"name":"E","embedded":true,"properties":[{"name":"x","type":"bool"}]}]}"#

  /// The error that an import of the header and some lines throws. Also checks that a failed import
  /// leaves nothing.
  private func error(_ lines: String..., header: String = header) throws -> Realm.Error? {
    var found: Realm.Error?
    try TransferDirectory.with { directory in
      let text = ([header] + lines).joined(separator: "\n") + "\n"
      do {
        _ = try directory.importing(text, into: "a.varve")
      } catch let error as Realm.Error {
        found = error
      }
      guard found != nil else { return }
      let realm = try directory.open("a.varve")
      #expect(realm.isEmpty)
      // The classes are not kept either.
      #expect(try directory.text(realm).contains(#""classes":[]"#))
    }
    return found
  }

  private func line(_ values: String, key: String = "\"a\"") -> String {
    #"{"class":"A","key":\#(key),"values":{\#(values)}}"#
  }

  @Test func byteOrderMarkIsSkipped() throws {
    #expect(try error(line(#""n":0"#), header: "\u{FEFF}" + Self.header) == nil)
  }

  @Test(arguments: [
    #"{"name":"\u0000","properties":[]}"#, #"{"name":"A\u0000B","properties":[]}"#,
    #"{"name":"","properties":[]}"#,
    #"{"name":"A","properties":[{"name":"\u0000","type":"bool"}]}"#,
    #"{"name":"A","properties":[{"name":"a\u0000","type":"bool"}]}"#,
    #"{"name":"A","properties":[{"name":"","type":"bool"}]}"#,
  ])
  func invalidClassAndPropertyNamesAreRefused(description: String) throws {
    let error = try error(
      header: #"{"format":"varve","version":1,"classes":[\#(description)]}"#)
    #expect(error?.code == .invalidSchema)
  }

  @Test func validTextIsImported() throws {
    #expect(try error(line(#""n":1"#), "", #"  { "id" : 7 , "class" : "B" }  "#) == nil)
  }

  @Test(arguments: [
    (#""n":128"#, "n", "128", "typeMismatch"), (#""n":"1""#, "n", #""1""#, "typeMismatch"),
    (#""n":null"#, "n", "nil", "missingValue"), (#""o":1.0"#, "n", nil, "missingValue"),
    (#""n":1,"o":true"#, "o", "true", "typeMismatch"),
    (#""n":1,"z":2"#, "z", "2", "unknownProperty"), (#""n":1,"n":2"#, "n", "2", "invalidInput"),
    (#""n":1,"k":"a""#, "k", #""a""#, "unknownProperty"),
    (#""n":1,"l":{}"#, "l", "{}", "typeMismatch"),
    (#""n":1,"l":[1,null]"#, "l", "nil", "missingValue"),
    (#""n":1,"s":["a","a"]"#, "s", "2 elements", "invalidInput"),
    (#""n":1,"d":{"a":1}"#, "d", "1", "typeMismatch"),
    (#""n":1,"d":{"a":"x","a":"y"}"#, "d", #""a""#, "invalidInput"),
    (#""n":1,"d":{"a.b":"x"}"#, "d", #""a.b""#, "invalidKey"),
    (#""n":1,"d":{"a":{"int":1.5}}"#, "d", #"{"int": …}"#, "typeMismatch"),
    (#""n":1,"d":{"a":{"set":[]}}"#, "d", #"{"set": …}"#, "typeMismatch"),
    (#""n":1,"d":{"a":{"list":{}}}"#, "d", #"{"list": …}"#, "typeMismatch"),
    (#""n":1,"d":{"a":{"list":[1]}}"#, "d", "1", "typeMismatch"),
    (#""n":1,"d":{"a":{"dictionary":{"b":"x","b":"y"}}}"#, "d", #""b""#, "invalidInput"),
    (#""n":1,"d":{"a":{"dictionary":{"b.c":"x"}}}"#, "d", #""b.c""#, "invalidKey"),
    (#""n":1,"d":{"a":{"link":{"class":"E"}}}"#, "d", "E", "typeMismatch"),
    (#""n":1,"to":5"#, "to", "5", "typeMismatch"),
    (#""n":1,"to":{"class":"A"}"#, "to", nil, "missingValue"),
    (#""n":1,"to":{"class":"A","key":"b"}"#, "to", #""A" "b""#, "invalidInput"),
    (#""n":1,"to":{"class":"A","key":5}"#, "to", "5", "typeMismatch"),
    (#""n":1,"to":{"class":"Z","key":"b"}"#, "to", "Z", "typeMismatch"),
    (#""n":1,"to":{"class":"A","key":"a","more":1}"#, "to", "more", "invalidInput"),
    (#""n":1,"e":{"x":1}"#, "x", "1", "typeMismatch"), (#""n":1,"e":{}"#, "x", nil, "missingValue"),
  ])
  func wrongValueIsReportedWithPosition(
    values: String, property: String, value: String?, code: String
  ) throws {
    let error = try #require(
      try error(line(#""n":0"#, key: "\"first\""), line(values), #"{"class":"B","id":1}"#))
    #expect(error.code.description == code, "\(error)")
    #expect(error.details == ["line 3"], "\(error)")
    #expect(error.propertyName == property)
    #expect(error.className == (property == "x" ? "E" : "A"))
    #expect(error.value == value)
  }

  @Test(arguments: [
    ("{", "A line is not JSON."), (#"{"class":"A","#, "A line is not JSON."),
    ("nonsense", "A line is not JSON."), ("[]", "The line is not a JSON object."),
    (#"{"key":"a"}"#, "A line has no class."),
    (#"{"class":7}"#, "The line has a member of the wrong type."),
    (#"{"class":"Z"}"#, "The header has no such class."),
    (#"{"class":"A","class":"A"}"#, "The line has a duplicate member."),
    (#"{"class":"A","values":{"n":1}}"#, "An object has no key."),
    (
      #"{"class":"A","key":null,"values":{"n":1}}"#,
      "Null was given for a value that cannot be null."
    ),
    (#"{"class":"B"}"#, "An object has no id."),
    (#"{"class":"B","key":1}"#, "An object has no id."),
    (#"{"class":"B","id":-1}"#, "The line has a member of the wrong type."),
    (#"{"class":"B","id":0}"#, "The id of an object is out of range, or another object has it."),
    (
      #"{"class":"B","id":9223372036854775807}"#,
      "The id of an object is out of range, or another object has it."
    ),
    (#"{"class":"B","id":1,"more":2}"#, "The line has an unknown member."),
    (#"{"class":"B","id":1,"values":[]}"#, "The values are not a JSON object."),
    (#"{"class":"E","values":{"x":true}}"#, "An embedded object has a line of its own."),
  ])
  func wrongLineIsReportedWithNumber(text: String, message: String) throws {
    let error = try #require(try error(line(#""n":0"#), text))
    #expect(error.message == message)
    #expect(error.details.first == "line 3")
  }

  @Test func nestedEmbeddedObjectsAreRead() throws {
    let header =
      #"{"format":"varve","version":1,"classes":[{"name":"R","properties":[{"name":"e","type":"link","class":"E","optional":true}]},{"name":"E","embedded":true,"properties":[{"name":"e","type":"link","class":"E","optional":true}]}]}"#
    func line(_ depth: Int) -> String {
      let value = (0..<depth).reduce("null") { value, _ in #"{"e":\#(value)}"# }
      return #"{"class":"R","id":1,"values":{"e":\#(value)}}"#
    }
    #expect(try error(line(100), header: header) == nil)
    let deep = try #require(try error(line(101), header: header))
    #expect(deep.code == .invalidInput && deep.className == "E" && deep.details == ["line 2"])
  }

  @Test func duplicateKeysAndIdsAreRefused() throws {
    let key = try #require(try error(line(#""n":0"#), line(#""n":1"#)))
    #expect(key.code == .duplicatePrimaryKey)
    #expect(key.value == #""a""#)
    #expect(key.details == ["line 3"])
    let id = try #require(try error(#"{"class":"B","id":2}"#, #"{"class":"B","id":2}"#))
    #expect(id.value == "2")
    #expect(id.details == ["line 3"])
  }

  @Test func impossibleCountsAreRefused() throws {
    let header =
      #"{"format":"varve","version":1,"classes":[{"name":"B","objects":9223372036854775807,"properties":[]},{"name":"C","objects":9223372036854775807,"properties":[]}]}"#
    let error = try #require(try error(#"{"class":"B","id":1}"#, header: header))
    #expect(error.message == "The text ends too early: objects are missing.")
  }

  @Test func unknownSchemaVersionIsRefused() throws {
    let error = try #require(
      try error(header: #"{"format":"varve","version":1,"schemaVersion":5,"classes":[]}"#))
    #expect(error.code == .schemaMismatch)
    #expect(error.value == "5 and not 0")
  }

  @Test func truncatedTextIsRefused() throws {
    let counting =
      #"{"format":"varve","version":1,"classes":[{"name":"B","objects":2,"properties":[]}]}"#
    let early = try #require(try error(#"{"class":"B","id":1}"#, header: counting))
    #expect(early.message == "The text ends too early: objects are missing.")
    #expect(early.value == "1 of 2 objects")
    let late = try #require(
      try error(
        #"{"class":"B","id":1}"#, #"{"class":"B","id":2}"#, #"{"class":"B","id":3}"#,
        header: counting))
    #expect(late.message == "There are more objects than the header states.")
    #expect(try error(#"{"class":"B","id":1}"#, #"{"class":"B","id":2}"#, header: counting) == nil)
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"class":"B","id":1}"#, #"{"format":"other","version":1,"classes":[]}"#,
    #"{"format":"varve","classes":[]}"#, #"{"format":"varve","version":2,"classes":[]}"#,
    #"{"format":"varve","version":1,"classes":[],"more":1}"#,
    #"{"format":"varve","version":1,"classes":[{"properties":[]}]}"#,
    #"{"format":"varve","version":1,"classes":[{"name":"","properties":[]}]}"#,
    #"{"format":"varve","version":1,"classes":[{"name":"B"},{"name":"B"}]}"#,
    #"{"format":"varve","version":1,"classes":[{"name":"B","properties":[{"name":"a","type":"text"}]}]}"#,
    #"{"format":"varve","version":1,"classes":[{"name":"B","properties":[{"name":"a","type":"link","class":"C"}]}]}"#,
    #"{"format":"varve","version":1,"classes":[{"name":"B","properties":[{"name":"a","type":"bool","class":"B"}]}]}"#,
    #"{"format":"varve","version":1,"classes":[{"name":"B","properties":[{"name":"a","type":"bool","primaryKey":true}]}]}"#,
    #"{"format":"varve","version":1,"classes":[{"name":"B","properties":[{"name":"a","type":"bool"},{"name":"a","type":"bool"}]}]}"#,
    #"{"format":"varve","version":1,"classes":[{"name":"B","properties":[{"name":"a","type":"int8","default":300}]}]}"#,
    #"{"format":"varve","version":1,"classes":[{"name":"B","embedded":true,"properties":[{"name":"a","type":"string","primaryKey":true}]}]}"#,
  ])
  func wrongHeaderIsRefused(header: String) throws {
    #expect(try error(header: header) != nil)
  }

  @Test func storeWithObjectsIsNotChanged() throws {
    try TransferDirectory.with { directory in
      let realm = try directory.open("a.varve", [Place.self])
      try realm.write { realm.create(Place.self, value: ["name": "here"]) }
      let file = directory.url.appendingPathComponent("a.jsonl")
      try Data(Self.header.utf8).write(to: file)
      let error = thrownError { try realm.importJSONLines(from: file) }
      #expect(error?.code == .fileExists)
      #expect(realm.objects(Place.self).first?.name == "here")
    }
  }

  @Test func storeWithDifferentSchemaIsNotChanged() throws {
    try TransferDirectory.with { directory in
      let realm = try directory.open("a.varve", [Place.self])
      let file = directory.url.appendingPathComponent("a.jsonl")
      let header =
        #"{"format":"varve","version":1,"classes":[{"name":"Place","properties":[{"name":"name","type":"int64"}]}]}"#
      try Data(header.utf8).write(to: file)
      let error = thrownError { try realm.importJSONLines(from: file) }
      #expect(error?.code == .schemaMismatch)
    }
  }
}
