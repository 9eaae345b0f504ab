import Testing
import VarveEncoding

@testable import VarveCore

@Suite struct SchemaHashTests {
  private let dog = HashedClass(
    name: "Dog", isEmbedded: false,
    properties: [
      PropertyDescription(name: "name", kind: PropertyKind(type: .string), isIndexed: true),
      PropertyDescription(
        name: "owner", kind: PropertyKind(type: .link), targetClassName: "Person"),
    ], indexes: [])
  private let person = HashedClass(
    name: "Person", isEmbedded: false,
    properties: [
      PropertyDescription(name: "id", kind: PropertyKind(type: .int64), isPrimaryKey: true),
      PropertyDescription(
        name: "dogs", kind: PropertyKind(type: .link, collection: .list), targetClassName: "Dog",
        originPropertyName: "owner"),
    ], indexes: [])

  @Test func hashIsIndependentOfOrder() {
    var turned = dog
    turned.properties.reverse()
    #expect(SchemaHash(of: [dog, person]) == SchemaHash(of: [person, turned]))
  }

  @Test func hashDependsOnEveryAttribute() {
    var variants: [[HashedClass]] = [[dog, person], [dog], []]
    func vary(_ change: (inout HashedClass) -> Void) {
      var changed = dog
      change(&changed)
      variants.append([changed, person])
    }
    vary { $0.name = "Cat" }
    vary { $0.isEmbedded = true }
    vary { $0.properties.removeLast() }
    vary { $0.properties[0].name = "nam" }
    vary { $0.properties[0].kind = PropertyKind(type: .data) }
    vary { $0.properties[0].kind = PropertyKind(type: .string, isNullable: true) }
    vary { $0.properties[0].kind = PropertyKind(type: .string, collection: .set) }
    vary { $0.properties[0].isIndexed = false }
    vary { $0.properties[0].isPrimaryKey = true }
    vary {
      $0.properties[0].isPrimaryKey = true
      $0.properties[0].isAutoIncremented = true
    }
    vary { $0.properties[1].targetClassName = "Dog" }
    vary { $0.properties[1].targetClassName = nil }
    vary { $0.properties[1].originPropertyName = "dogs" }
    vary { $0.indexes = [IndexDescription(kind: .ordered, propertyNames: ["name"])] }
    vary { $0.indexes = [IndexDescription(kind: .unique, propertyNames: ["name"])] }
    #expect(Set(variants.map { SchemaHash(of: $0) }).count == variants.count)
  }

  @Test func hashIsStableAcrossReleases() {
    #expect(hex(SchemaHash(of: [])) == "5d1587e7ba2ba66c58da4d8f3c80bed7")
    #expect(hex(SchemaHash(of: [person, dog])) == "14deb02c6e8502da9082985dc00948c8")
  }

  private func hex(_ hash: SchemaHash) -> String {
    hash.value.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
