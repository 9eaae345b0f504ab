import Foundation
import Testing
import Varve

@Model final class Schemed: Object {
  @Persisted(primaryKey: true) var id: Int64
  @Persisted(indexed: true) var text: String?
  @Persisted var celsius: Celsius
  @Persisted var decimal: Decimal128
  @Persisted var link: Schemed?
  @Persisted var links: List<Schemed>
  @Persisted var numbers: List<Double?>
  @Persisted var map: Map<String, Schemed?>
  @Persisted var flags: Map<String, Bool>
  @Persisted(originProperty: "links") var owners: LinkingObjects<Schemed>
  var ignored = 0
}

@Suite struct ObjectSchemaTests {
  @Test func objectSchemaListsProperties() throws {
    let schema = Schemed().objectSchema
    #expect(schema.className == "Schemed" && !schema.isEmbedded)
    #expect(
      schema.properties.map(\.name) == [
        "id", "text", "celsius", "decimal", "link", "links", "numbers", "map", "flags",
      ])
    #expect(
      schema.properties.map(\.type) == [
        .int, .string, .double, .decimal128, .object, .object, .double, .object, .bool,
      ])
    #expect(
      schema.properties.filter(\.isOptional).map(\.name) == ["text", "link", "numbers", "map"])
    #expect(schema.properties.filter(\.isIndexed).map(\.name) == ["id", "text"])
    #expect(schema.properties.filter(\.isArray).map(\.name) == ["links", "numbers"])
    #expect(schema.properties.filter(\.isMap).map(\.name) == ["map", "flags"])
    #expect(schema.properties.filter(\.isSet).isEmpty)
    #expect(
      schema.properties.filter { $0.objectClassName == "Schemed" }.map(\.name)
        == ["link", "links", "map"])
    #expect(schema.computedProperties.map(\.name) == ["owners"])
    #expect(schema.primaryKeyProperty?.name == "id" && schema["ignored"] == nil)
    #expect(schema["owners"]?.linkOriginPropertyName == "links")
    #expect(schema["links"]?.linkOriginPropertyName == nil)
    #expect(schema["numbers"]?.description == "numbers: List of double?")
    #expect(schema["link"]?.description == "link: object Schemed?")
  }

  @Test func realmSchemaListsStoredClasses() throws {
    // Without `objectTypes` the schema would include every compiled class.
    try withTemporaryRealm({ $0.objectTypes = [] }) { realm, _ in
      #expect(realm.schema.objectSchema.isEmpty)
      try realm.write {
        let object = realm.create(Schemed.self, value: ["id": 1])
        #expect(realm.schema["Schemed"]?.properties.count == 9)
        #expect(object.objectSchema.properties.count == 9)
        #expect(object.objectSchema.computedProperties.count == 1)
      }
      let stored = try #require(realm.schema["Schemed"])
      let declared = Schemed().objectSchema
      #expect(stored.properties == declared.properties && stored.computedProperties.isEmpty)
      #expect(realm.schema["Nothing"] == nil)
      try realm.register(Declared.self)
      #expect(realm.schema.objectSchema.map(\.className) == ["Schemed", "Declared"])
      #expect(realm.schema["Declared"]?["code"]?.columnName == "kode")
    }
  }

  @Test func collectionsDescribeTheirElements() throws {
    func check(_ object: Schemed) {
      #expect(object.links.type == .object && !object.links.isOptional)
      #expect(object.links.objectClassName == "Schemed" && object.numbers.objectClassName == nil)
      #expect(object.numbers.type == .double && object.numbers.isOptional)
      #expect(object.map.keyType == .string && object.map.type == .object)
      #expect(object.map.isOptional && object.map.objectClassName == "Schemed")
      #expect(object.flags.type == .bool && !object.flags.isOptional)
      #expect(object.flags.objectClassName == nil)
      #expect(object.owners.type == .object && object.owners.objectClassName == "Schemed")
    }
    check(Schemed())
    try withTemporaryRealm { realm, _ in
      let object = try realm.write { realm.create(Schemed.self, value: ["id": 1]) }
      check(object)
      check(object.freeze())
      let all = realm.objects(Schemed.self)
      #expect(all.type == .object && !all.isOptional && all.objectClassName == "Schemed")
    }
  }
}
