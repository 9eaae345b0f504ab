import Foundation
import Testing
import Varve

@Model private final class Account: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var passwordHash = "default"
}

extension Account {
  private enum CodingKeys: String, CodingKey {
    case id
    case name = "user"
    // No property.
    case version
  }
}

private enum AliasKeys: String, CodingKey { case id = "ID" }

@Model private final class Aliased: Object {
  @Persisted var id: Int
  @Persisted var secret: Int
}

extension Aliased: Codable {
  typealias CodingKeys = AliasKeys
}

@Model private class Structured: Object, Codable {
  @Persisted var id: Int
  @Persisted var other: Int

  struct CodingKeys: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }

    static let id = CodingKeys(stringValue: "number")
  }
}

@Model private final class Inheriting: Structured {
  @Persisted var level: Int
}

@Model private final class Renaming: Structured {
  @Persisted var level: Int
  @Persisted var hidden: Int

  private enum CodingKeys: String, CodingKey { case level = "rank" }
}

@Model private final class Odd: Object, Codable {
  @Persisted var `self`: Int
  @Persisted var `init`: Int
  @Persisted var rawValue: Int
  @Persisted var stringValue: Int
  @Persisted var allCases: Int
  @Persisted var some: Int

  enum CodingKeys: String, CodingKey, CaseIterable {
    case `self` = "a"
    case `init` = "b"
    case some = "c"
  }
}

private class Unmarked: Object, Codable, @unchecked Sendable {
  @Persisted var id: Int
  @Persisted var secret: Int

  private enum CodingKeys: String, CodingKey { case id = "number" }
}

private class UnmarkedChild: Unmarked, @unchecked Sendable {
  @Persisted var level: Int
}

private enum Scope {
  enum CodingKeys: String, CodingKey { case other }

  @Model final class Nested: Object, Codable {
    @Persisted var id: Int
  }
}

@Model private final class NotKeys: Object, Codable {
  @Persisted var id: Int
  @Persisted var secret: Int

  enum CodingKeys: String { case id }
}

@Model private final class ByHand: Object, Encodable {
  @Persisted var id: Int

  enum CodingKeys { static let id = "id" }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode([CodingKeys.id: id])
  }
}

struct CodingKeysTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func decode<Value: Decodable>(_ text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  @Test func keysInExtensionRenameAndExclude() throws {
    let text = #"{"id":1,"user":"n"}"#
    #expect(try json(Account(id: 1, name: "n", passwordHash: "secret")) == text)
    let account: Account = try decode(#"{"id":1,"user":"n","passwordHash":"x"}"#)
    #expect(account.name == "n" && account.passwordHash == "default")
    let patch: ObjectPatch<Account> = try decode(#"{"user":"m","passwordHash":"x"}"#)
    #expect(patch.propertyNames == ["name"])
  }

  @Test func aliasesAndStructuresAreKeys() throws {
    #expect(try json(Aliased(id: 1, secret: 2)) == #"{"ID":1}"#)
    #expect(try json(Structured(id: 1, other: 2)) == #"{"number":1,"other":2}"#)
    let object: Structured = try decode(#"{"number":1,"other":5}"#)
    #expect(object.id == 1 && object.other == 5)
  }

  @Test func subclassesAddPropertiesUnderTheirOwnKeys() throws {
    #expect(try json(Inheriting()) == #"{"level":0,"number":0,"other":0}"#)
    #expect(try json(Renaming()) == #"{"number":0,"other":0,"rank":0}"#)
    let object: Renaming = try decode(#"{"number":1,"rank":2,"hidden":3,"other":4}"#)
    #expect(object.id == 1 && object.level == 2)
    #expect(object.hidden == 0 && object.other == 4)
  }

  @Test func namesOfMembersOfKeysAreProperties() throws {
    #expect(try json(Odd()) == #"{"a":0,"b":0,"c":0}"#)
  }

  @Test func unmarkedClassesUseTheirKeys() throws {
    #expect(try json(Unmarked()) == #"{"number":0}"#)
    #expect(try json(UnmarkedChild()) == #"{"level":0,"number":0}"#)
    let object: UnmarkedChild = try decode(#"{"number":1,"secret":3,"level":2}"#)
    #expect(object.id == 1 && object.secret == 0 && object.level == 2)
  }

  @Test func keysAroundTheClassAreNotItsKeys() throws {
    #expect(try json(Scope.Nested(id: 1)) == #"{"id":1}"#)
  }

  @Test func keysThatAreNoneThrow() throws {
    #expect(throws: EncodingError.self) { try json(NotKeys(id: 1, secret: 2)) }
    #expect(throws: DecodingError.self) { try decode(#"{"id":1,"secret":2}"#) as NotKeys }
    #expect(try json(ByHand(id: 1)) == #"{"id":1}"#)
  }

  @Test func strategiesConvertKeys() throws {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = .sortedKeys
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let data = try encoder.encode(Structured(id: 4, other: 0))
    #expect(String(decoding: data, as: UTF8.self) == #"{"number":4,"other":0}"#)
    #expect(try decoder.decode(Structured.self, from: data).id == 4)
  }

  /// The compiler takes the keys of a class for those of its subclass; which of them is a model
  /// makes no difference.
  @Test func keysLeaveOutPropertyInEachMixOfModels() throws {
    func json(_ value: some Encodable) throws -> [String: Any] {
      try #require(
        try JSONSerialization.jsonObject(with: try JSONEncoder().encode(value)) as? [String: Any])
    }
    let text = Data(#"{"id": 3, "secret": "no", "extra": "e"}"#.utf8)
    func expectKeys<T: SecretKeyed & Codable>(_ type: T.Type) throws {
      #expect(try Set(json(T()).keys) == ["id", "extra"], "\(type)")
      let decoded = try JSONDecoder().decode(T.self, from: text)
      #expect(decoded.values == [3, "", "e"] as [AnyHashable], "\(type)")
    }
    try expectKeys(PlainOfPlain.self)
    try expectKeys(ModelOfPlain.self)
    try expectKeys(PlainOfModel.self)
    try expectKeys(ModelOfModel.self)
  }
}

protocol SecretKeyed: AnyObject {
  init()
  var values: [AnyHashable] { get }
}

class SecretPlain: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var secret: String
  enum CodingKeys: String, CodingKey { case id }
}

@Model class SecretModel: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var secret: String
  enum CodingKeys: String, CodingKey { case id }
}

final class PlainOfPlain: SecretPlain, SecretKeyed {
  @Persisted var extra: String
  var values: [AnyHashable] { [id, secret, extra] }
}

@Model final class ModelOfPlain: SecretPlain, SecretKeyed {
  @Persisted var extra: String
  var values: [AnyHashable] { [id, secret, extra] }
}

final class PlainOfModel: SecretModel, SecretKeyed {
  @Persisted var extra: String
  var values: [AnyHashable] { [id, secret, extra] }
}

@Model final class ModelOfModel: SecretModel, SecretKeyed {
  @Persisted var extra: String
  var values: [AnyHashable] { [id, secret, extra] }
}
