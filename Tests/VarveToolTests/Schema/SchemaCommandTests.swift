import Foundation
import Testing
import Varve

@Suite struct SchemaCommandTests {
  @Test func classesArePrintedAsText() throws {
    try PupStore.with([Pup.self, Basket.self]) { store in
      let output = try ToolProgram.run(["schema", store.path])
      #expect(output.status == 0, "\(output.errors)")
      #expect(
        output.text == """
          Basket
            name    String              primary key
            fruits  MutableSet<String>

          Pup
            name    String            primary key
            age     Int
            weight  Double?
            tags    List<String>
            notes   Map<String, Int>
            friend  Pup?

          """)
    }
  }

  @Test func classesArePrintedAsSwift() throws {
    try PupStore.with([Pup.self, Shelf.self, Slot.self]) { store in
      let output = try ToolProgram.run(["schema", store.path, "--as", "swift"])
      #expect(output.status == 0, "\(output.errors)")
      #expect(
        output.text == """
          import Foundation
          import Varve

          @Model final class Pup: Object {
            @Persisted(primaryKey: true) var name: String
            @Persisted var age: Int
            @Persisted var weight: Double?
            @Persisted var tags: List<String>
            @Persisted var notes: Map<String, Int>
            @Persisted var friend: Pup?
          }

          @Model(indexes: [["city", "size"]], unique: [["city", "code"]]) final class Shelf: Object {
            @Persisted(primaryKey: true, autoIncrement: true) var id: Int
            @Persisted(indexed: true) var city: String
            @Persisted(unique: true) var code: String
            @Persisted(fullText: true) var text: String
            @Persisted var size: Int16
            @Persisted var `default`: AnyRealmValue
            @Persisted var slot: Slot?
            @Persisted var slots: List<Slot>
            @Persisted var pups: MutableSet<Pup>
            @Persisted var links: Map<String, Pup?>
          }

          @Model final class Slot: EmbeddedObject {
            @Persisted var price: Decimal128?
          }

          """)
    }
  }

  @Test func classesArePrintedAsJSON() throws {
    try PupStore.with { store in
      let output = try ToolProgram.run(["schema", store.path, "--json"])
      let parsed = try JSONSerialization.jsonObject(with: Data(output.text.utf8))
      let schema = try #require(parsed as? [String: Any])
      #expect(schema["schemaVersion"] as? Int == 0)
      let classes = try #require(schema["classes"] as? [[String: Any]])
      #expect(classes.map { $0["name"] as? String } == ["Pup", "Toy"])
    }
  }
}

@Model(indexes: [["city", "size"]], unique: [["city", "code"]])
final class Shelf: Object {
  @Persisted(primaryKey: true, autoIncrement: true) var id: Int
  @Persisted(indexed: true) var city: String
  @Persisted(unique: true) var code: String
  @Persisted(fullText: true) var text: String
  @Persisted var size: Int16
  @Persisted var `default`: AnyRealmValue
  @Persisted var slot: Slot?
  @Persisted var slots: List<Slot>
  @Persisted var pups: MutableSet<Pup>
  @Persisted var links: Map<String, Pup?>
}

@Model final class Slot: EmbeddedObject {
  @Persisted var price: Decimal128?
}
