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

@Model private final class Knot: Object, Encodable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var next: Knot?
  @Persisted var others: List<Knot>
  @Persisted var named: Map<String, Knot?>
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

  @Test func inheritedConformanceCodesSubclassProperties() throws {
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

  private func expectCycle(_ object: Knot, path: [String]) {
    do {
      _ = try JSONEncoder().encode(object)
      Issue.record("A cycle was encoded.")
    } catch EncodingError.invalidValue(let value, let context) {
      let keys = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
      #expect(keys == path)
      #expect((value as? Knot)?.id == object.id)
      #expect(context.debugDescription.contains("class 'Knot'"))
      #expect(context.debugDescription.contains("'\(path.joined(separator: "."))'"))
    } catch {
      Issue.record(error)
    }
  }

  @Test func encodingCyclicLinksThrows() throws {
    try withTemporaryRealm { realm, _ in
      let nodes = (0..<6).map { Knot(value: ["id": $0]) }
      nodes[0].next = nodes[1]
      nodes[1].next = nodes[0]
      nodes[2].others.append(objectsIn: [nodes[3], nodes[2]])
      nodes[3].named["none"] = .some(nil)
      nodes[4].named["a"] = nodes[5]
      nodes[5].others.append(nodes[4])
      func check(_ nodes: [Knot]) {
        expectCycle(nodes[0], path: ["next", "next"])
        expectCycle(nodes[2], path: ["others", "1"])
        expectCycle(nodes[4], path: ["named", "a", "others", "0"])
      }
      check(nodes)
      try realm.write { realm.add(nodes) }
      check(nodes)
      check(nodes.map { $0.freeze() })
      try realm.write { check(nodes) }
    }
  }

  @Test func sharedObjectIsEncodedForEachLink() throws {
    let shared = Knot(value: ["id": 1])
    let node = Knot(value: ["id": 0])
    node.next = shared
    node.others.append(objectsIn: [shared, shared])
    let text = try json(node)
    #expect(text.components(separatedBy: #""id":1"#).count == 4)
    #expect(try json(node) == text)
  }

  @Test func ownMembersAreKept() throws {
    let object: ByHand = try decode(#""Ada""#)
    #expect(object.name == "Ada")
    #expect(try json(object) == #""Ada""#)
  }
}
