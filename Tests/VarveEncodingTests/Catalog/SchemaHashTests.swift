import Testing
import VarveEncoding

@Suite struct SchemaHashTests {
  private typealias ClassDescription = SchemaHash.ClassDescription
  private typealias PropertyDescription = SchemaHash.PropertyDescription

  private let dog = ClassDescription(
    name: "Dog",
    properties: [
      PropertyDescription(name: "name", kind: PropertyKind(type: .string), isIndexed: true),
      PropertyDescription(name: "owner", kind: PropertyKind(type: .link), targetClass: "Person"),
    ])
  private let person = ClassDescription(
    name: "Person",
    properties: [
      PropertyDescription(name: "id", kind: PropertyKind(type: .int64), isPrimaryKey: true),
      PropertyDescription(
        name: "dogs", kind: PropertyKind(type: .link, collection: .list), targetClass: "Dog",
        originProperty: "owner"),
    ])

  @Test func hashDoesNotDependOnTheOrder() {
    var turned = dog
    turned.properties.reverse()
    #expect(SchemaHash(of: [dog, person]) == SchemaHash(of: [person, turned]))
  }

  @Test func everythingThatIsSaidCounts() {
    var variants: [[ClassDescription]] = [[dog, person], [dog], []]
    func vary(_ change: (inout ClassDescription) -> Void) {
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
    vary { $0.properties[1].targetClass = "Dog" }
    vary { $0.properties[1].targetClass = nil }
    vary { $0.properties[1].originProperty = "dogs" }
    #expect(Set(variants.map { SchemaHash(of: $0) }).count == variants.count)
  }

  @Test func hashStaysTheSameForEver() {
    #expect(hex(SchemaHash(of: []).value.bytes) == "5d1587e7ba2ba66c58da4d8f3c80bed7")
    #expect(hex(SchemaHash(of: [person, dog]).value.bytes) == "14deb02c6e8502da9082985dc00948c8")
  }
}
