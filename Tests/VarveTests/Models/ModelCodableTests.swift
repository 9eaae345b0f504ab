import Foundation
import Testing
import Varve

@Model private class Account: Object, Codable {
  @Persisted var name: String
  @Persisted var age = 3
}
@Model private final class Admin: Account {
  @Persisted var level = 1
}
@Model private final class Renamed: Object, Decodable, Encodable {
  @Persisted var name: String
  @Persisted var age = 3
  @Persisted var secret = "s"
  private enum CodingKeys: String, CodingKey {
    case name = "full_name"
    case age
  }
}
@Model private final class OnlyEncodable: Object, Encodable {
  @Persisted var name: String
}
@Model private final class ByHand: Object, Codable {
  @Persisted var name: String
  required convenience init(from decoder: any Decoder) throws {
    self.init()
    name = try decoder.singleValueContainer().decode(String.self)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

struct ModelCodableTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func decode<Value: Decodable>(_ text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  @Test func declaredConformanceCodesPersistedProperties() throws {
    let account: Account = try decode(#"{"name":"Ada","age":36}"#)
    #expect(account.name == "Ada")
    #expect(try json(account) == #"{"age":36,"name":"Ada"}"#)
  }

  @Test func inheritedConformanceCodesTheSubclassToo() throws {
    let admin: Admin = try decode(#"{"name":"Ada","age":36,"level":5}"#)
    #expect(admin.level == 5)
    #expect(try json(admin) == #"{"age":36,"level":5,"name":"Ada"}"#)
  }

  @Test func codingKeysRenameAndExclude() throws {
    let object: Renamed = try decode(#"{"full_name":"Ada","age":36,"secret":"x"}"#)
    #expect(object.name == "Ada")
    #expect(object.secret == "s")
    #expect(try json(object) == #"{"age":36,"full_name":"Ada"}"#)
  }

  @Test func encodableAloneIsEnough() throws {
    let object = OnlyEncodable()
    object.name = "Ada"
    #expect(try json(object) == #"{"name":"Ada"}"#)
  }

  @Test func ownMembersAreKept() throws {
    let object: ByHand = try decode(#""Ada""#)
    #expect(object.name == "Ada")
    #expect(try json(object) == #""Ada""#)
  }
}
