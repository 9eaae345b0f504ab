import Foundation
import Testing
import Varve

private protocol Content: Codable, Sendable {
  static var contentType: String { get }
  mutating func beforeEncode() throws
}

extension Content {
  static var contentType: String { "application/json" }
  mutating func beforeEncode() throws {}
}

private protocol ResponseEncodable: Encodable {}
private protocol ResponseCodable: ResponseEncodable, Decodable {}
private typealias Coded = Codable

@Model private final class InExtension: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title: String
}
extension InExtension: Codable {}

@Model private final class ByProtocol: Object, Content {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title: String
  @Persisted var link: InExtension?
  @Persisted var links: List<InExtension>
  @Persisted var named: Map<String, InExtension?>
  @Persisted var part: Part?
}

@Model private final class Part: EmbeddedObject {
  @Persisted var size: Int
}
extension Part: ResponseCodable {}

@Model private final class ByAlias: Object, Coded {
  @Persisted(primaryKey: true) var id: Int
}

@Model private final class OnlyDecodable: Object {
  @Persisted var id: Int
}
extension OnlyDecodable: Decodable {}

@Model private final class OnlyEncodable: Object, ResponseEncodable {
  @Persisted var id: Int
}

@Model private class Base: Object {
  @Persisted var id: Int
}
extension Base: Content {}

@Model private final class Derived: Base {
  @Persisted var level: Int
}

@Model private final class Generic<Value>: Object {
  @Persisted var id: Int
}
extension Generic: Codable {}

@Model private class Overridable: Object, Codable {
  @Persisted var id: Int
}

@Model private final class Overriding: Overridable {
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("own")
  }
}

@Model private final class ByHand: Object, Codable {
  @Persisted var id: Int
}

extension ByHand {
  convenience init(from decoder: any Decoder) throws {
    self.init()
    id = try decoder.singleValueContainer().decode(Int.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}

private class Unmarked: Object, @unchecked Sendable {
  @Persisted var id: Int
}
extension Unmarked: Codable {}

struct CodableConformanceTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func decode<Value: Decodable>(_ text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  private static let document =
    #"{"id":1,"link":{"id":2,"title":"b"},"links":[{"id":3,"title":"c"}],"#
    + #""named":{"k":{"id":4,"title":"d"}},"part":{"size":5},"title":"a"}"#

  @Test func extensionCodesPersistedProperties() throws {
    let object: InExtension = try decode(#"{"id":7,"title":"x"}"#)
    #expect(try json(object) == #"{"id":7,"title":"x"}"#)
    #expect(throws: DecodingError.self) { try decode(#"{"id":"a","title":"x"}"#) as InExtension }
    #expect(throws: DecodingError.self) { try decode("{}") as InExtension }
  }

  @Test func protocolsAndAliasesCodePersistedProperties() throws {
    let alias: ByAlias = try decode(#"{"id":3}"#)
    #expect(try json(alias) == #"{"id":3}"#)
    let object: ByProtocol = try decode(Self.document)
    #expect(object.link?.title == "b" && object.part?.size == 5)
    #expect(try json(object) == Self.document)
  }

  @Test func managedAndFrozenObjectsAndResultsAreCoded() throws {
    try withTemporaryRealm { realm, _ in
      let object: ByProtocol = try decode(Self.document)
      try realm.write {
        realm.add(object)
        let text = try json(object)
        #expect(text == Self.document)
      }
      #expect(try json(object) == Self.document)
      #expect(try json(object.freeze()) == Self.document)
      #expect(try json(realm.objects(ByProtocol.self)) == "[\(Self.document)]")
      #expect(try json(object.links) == #"[{"id":3,"title":"c"}]"#)
    }
  }

  @Test func patchesSetDecodedProperties() throws {
    let object: ByProtocol = try decode(Self.document)
    let patch: ObjectPatch<ByProtocol> = try decode(#"{"title":"new"}"#)
    #expect(patch.propertyNames == ["title"])
    try patch.apply(to: object)
    #expect(object.title == "new" && object.link?.id == 2)
  }

  @Test func oneDirectionIsEnough() throws {
    let decoded: OnlyDecodable = try decode(#"{"id":5}"#)
    #expect(decoded.id == 5)
    #expect(try json(OnlyEncodable(id: 6)) == #"{"id":6}"#)
  }

  @Test func subclassesAddTheirProperties() throws {
    let object: Derived = try decode(#"{"id":1,"level":2}"#)
    #expect(try json(object) == #"{"id":1,"level":2}"#)
    #expect(try json(object as Base) == #"{"id":1,"level":2}"#)
  }

  @Test func genericAndUnmarkedClassesAreCoded() throws {
    let generic: Generic<String> = try decode(#"{"id":1}"#)
    #expect(try json(generic) == #"{"id":1}"#)
    let unmarked: Unmarked = try decode(#"{"id":1}"#)
    #expect(try json(unmarked) == #"{"id":1}"#)
  }

  @Test func ownImplementationsTakePrecedence() throws {
    #expect(try json(Overriding()) == #""own""#)
    #expect(try json(Overriding() as Overridable) == #""own""#)
    let object: ByHand = try decode("8")
    #expect(object.id == 8)
    #expect(try json(object) == "8")
  }
}
