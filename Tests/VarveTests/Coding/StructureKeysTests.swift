import Foundation
import Testing
import Varve

/// Names properties in snake case, except a secret.
private struct SnakeKeys: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init?(stringValue: String) {
    if stringValue == "secret" { return nil }
    self.stringValue = stringValue.map { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" }.joined()
  }

  init?(intValue: Int) { nil }
}

@Model private final class Verbatim: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var firstName = "a"

  struct CodingKeys: CodingKey {
    let stringValue: String
    var intValue: Int?
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

@Model private class InExtension: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var firstName = "a"
  @Persisted var secret = 1
}

extension InExtension: Codable {
  typealias CodingKeys = SnakeKeys
}

/// A class that inherits its keys. They have members with the names of two properties.
@Model private final class Inheriting: InExtension {
  @Persisted var lastName = "b"
  @Persisted var stringValue = 2
  @Persisted var intValue = 3
}

@Model private final class Restating: InExtension {
  @Persisted var lastName = "b"

  typealias CodingKeys = SnakeKeys
}

@Model private final class Listing: InExtension {
  @Persisted var lastName = "b"
  @Persisted var hidden = 4

  enum CodingKeys: String, CodingKey { case lastName = "LN" }
}

@Model private final class SnakePart: EmbeddedObject, Codable {
  @Persisted var unitPrice = 1
}

extension SnakePart {
  fileprivate typealias CodingKeys = SnakeKeys
}

private enum Outer {
  @Model final class Holder: Object, Codable {
    @Persisted(primaryKey: true) var number: Int
    @Persisted var part: SnakePart?
    @Persisted var parts: List<SnakePart>
    @Persisted var byName: Map<String, SnakePart?>

    struct CodingKeys: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(exactly text: String) { stringValue = text }
      init?(stringValue: String) { self.stringValue = "x-" + stringValue }
      init?(intValue: Int) { nil }

      static let number = CodingKeys(exactly: "#")
      // No keys.
      static let part = "part"
      static func parts() {}
    }
  }
}

private class Unmarked: Object, Codable, @unchecked Sendable {
  @Persisted var firstName = "a"
  @Persisted var secret = 1

  typealias CodingKeys = SnakeKeys
}

private class UnmarkedChild: Unmarked, @unchecked Sendable {
  @Persisted var lastName = "b"
}

@Model private final class WithClass: Object, Codable {
  @Persisted var firstName = "a"

  final class CodingKeys: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue.uppercased() }
    init?(intValue: Int) { nil }
  }
}

/// An enumeration lists the properties, although it accepts other names.
@Model private final class WithEnumeration: Object, Codable {
  @Persisted var name = "n"
  @Persisted var user = "u"
  @Persisted var secret = 1

  enum CodingKeys: CodingKey {
    case name
    case other(String)

    var stringValue: String {
      switch self {
      case .name: "user"
      case .other(let text): text
      }
    }
    var intValue: Int? { nil }
    init?(stringValue: String) { self = stringValue == "user" ? .name : .other(stringValue) }
    init?(intValue: Int) { nil }
  }
}

@Model private final class OneNameForTwo: Object, Codable {
  @Persisted var aB = 1
  @Persisted var a_b = 2

  typealias CodingKeys = SnakeKeys
}

@Model private class Renamed: Object, Codable {
  @Persisted var id = 1

  enum CodingKeys: String, CodingKey { case id = "level" }
}

@Model private final class NamedLikeInherited: Renamed {
  @Persisted var level = 2
}

struct StructureKeysTests {
  @Test func structureNamesEachProperty() throws {
    #expect(try sortedJSON(Verbatim()) == #"{"firstName":"a","id":0}"#)
    let object: Verbatim = try decoded(#"{"id":1,"firstName":"b"}"#)
    #expect(object.id == 1 && object.firstName == "b")
  }

  @Test func structureInExtensionRenamesAndLeavesOut() throws {
    #expect(try sortedJSON(InExtension()) == #"{"first_name":"a","id":0}"#)
    let object: InExtension = try decoded(#"{"id":1,"first_name":"b","firstName":"c","secret":9}"#)
    #expect(object.id == 1 && object.firstName == "b" && object.secret == 1)
    let patch: ObjectPatch<InExtension> = try decoded(#"{"first_name":"b","secret":9}"#)
    #expect(patch.propertyNames == ["firstName"])
  }

  @Test func subclassesInheritStructure() throws {
    #expect(
      try sortedJSON(Inheriting())
        == #"{"first_name":"a","id":0,"int_value":3,"last_name":"b","string_value":2}"#)
    #expect(try sortedJSON(Restating()) == #"{"first_name":"a","id":0,"last_name":"b"}"#)
    #expect(try sortedJSON(Listing()) == #"{"LN":"b","first_name":"a","id":0}"#)
    let object: Inheriting = try decoded(#"{"id":1,"last_name":"c","string_value":5}"#)
    #expect(object.lastName == "c" && object.stringValue == 5 && object.intValue == 3)
  }

  @Test func embeddedObjectsUseTheirStructures() throws {
    let text =
      ##"{"#":3,"x-byName":{"aB":{"unit_price":4}},"x-part":{"unit_price":5},"##
      + #""x-parts":[{"unit_price":6}]}"#
    let holder: Outer.Holder = try decoded(text)
    #expect(holder.number == 3 && holder.part?.unitPrice == 5 && holder.parts[0].unitPrice == 6)
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(holder) }
      #expect(try sortedJSON(holder) == text)
      let patch: ObjectPatch<Outer.Holder> = try decoded(
        ##"{"#":3,"x-part":{"unit_price":7}}"##)
      try realm.write { try realm.upsert(patch) }
      #expect(holder.part?.unitPrice == 7 && holder.parts.count == 1)
    }
  }

  @Test func unmarkedClassesUseStructures() throws {
    #expect(try sortedJSON(Unmarked()) == #"{"first_name":"a"}"#)
    #expect(try sortedJSON(UnmarkedChild()) == #"{"first_name":"a","last_name":"b"}"#)
  }

  @Test func classesAreAskedAndEnumerationsList() throws {
    #expect(try sortedJSON(WithClass()) == #"{"FIRSTNAME":"a"}"#)
    #expect(try sortedJSON(WithEnumeration()) == #"{"user":"n"}"#)
  }

  @Test func oneNameForTwoPropertiesThrows() {
    #expect(throws: EncodingError.self) { try sortedJSON(OneNameForTwo()) }
    #expect(throws: DecodingError.self) { try decoded("{}", as: OneNameForTwo.self) }
    #expect(throws: DecodingError.self) { try decoded("{}", as: ObjectPatch<OneNameForTwo>.self) }
    do {
      _ = try decoded("{}", as: NamedLikeInherited.self)
      Issue.record("The object was decoded.")
    } catch DecodingError.dataCorrupted(let context) {
      #expect(
        context.debugDescription
          == "The properties 'id' and 'level' of class 'NamedLikeInherited' have the same coding key 'level'."
      )
    } catch {
      Issue.record(error)
    }
  }
}
