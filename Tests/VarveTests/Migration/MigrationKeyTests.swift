import Foundation
import Testing
import Varve
import VarveCore

/// Primary keys that are added, removed and changed. An integer key is the object id, so adding,
/// removing or changing it moves the objects and their links.
@Suite struct MigrationKeyTests {
  private static let count = 4

  /// Objects of a class without a primary key, and holders that link to them in every way.
  private func withItems(
    _ types: [ObjectBase.Type], _ fill: (Realm) throws -> Void,
    _ body: (TemporaryRealm) throws -> Void
  ) throws {
    try withMigratedFile { store in
      let realm = try Realm(configuration: store.configuration(types, 0))
      try realm.write { try fill(realm) }
      try store.check()
      try body(store)
    }
  }

  private func fillPlain(_ realm: Realm) {
    for number in 0..<Self.count {
      let item = realm.create(
        NoKey.Item.self,
        value: ["number": number * 3 - 4, "name": "I\(number)", "tags": ["t\(number)"]])
      item.others.append(objectsIn: realm.objects(NoKey.Item.self))
      item.next = realm.objects(NoKey.Item.self).first
      let holder = realm.create(NoKey.Holder.self, value: ["one": item])
      holder.many.append(objectsIn: [item, item])
      holder.byKey["k"] = item
      holder.byKey["first"] = realm.objects(NoKey.Item.self).first
    }
  }

  /// The content of holders and items, described by names: independent of the object ids.
  private func story(_ realm: Realm) throws -> [String] {
    func name(_ object: Any?) -> String { (object as? DynamicObject)?["name"] as? String ?? "-" }
    let items = try realm.dynamicObjects("Item").map { item in
      let tags = try item.dynamicList("tags", of: String.self).joined()
      let others = try item.dynamicList("others").map { name($0) }.joined()
      let holders = try item.dynamicLinkingObjects(ofType: "Holder", property: "many").count
      return "\(name(item)) \(tags) \(others) \(name(item["next"])) \(holders)"
    }
    let holders = try realm.dynamicObjects("Holder").map { holder in
      let map = try holder.dynamicMap("byKey")
      let many = try holder.dynamicList("many").map { name($0) }.joined()
      return "\(name(holder["one"])) \(many) \(name(map["k"] ?? nil)) \(name(map["first"] ?? nil))"
    }
    return items.sorted() + holders
  }

  private let expected = [
    "I0 t0 I0 I0 2", "I1 t1 I0I1 I0 2", "I2 t2 I0I1I2 I0 2", "I3 t3 I0I1I2I3 I0 2",
    "I0 I0I0 I0 I0", "I1 I1I1 I1 I0", "I2 I2I2 I2 I0", "I3 I3I3 I3 I0",
  ]

  @Test func integerKeyIsAdded() throws {
    try withItems([NoKey.Item.self, NoKey.Holder.self], fillPlain) { store in
      let realm = try store.open(IntKey.Item.self, IntKey.Holder.self, version: 1)
      #expect(try story(realm) == expected)
      #expect(realm.object(ofType: IntKey.Item.self, forPrimaryKey: -4)?.name == "I0")
      #expect(realm.object(ofType: IntKey.Item.self, forPrimaryKey: 5)?.name == "I3")
      #expect(realm.objects(IntKey.Item.self).map(\.number) == [-4, -1, 2, 5])
      try realm.write {
        realm.create(IntKey.Item.self, value: ["number": 5, "name": "X"], update: .modified)
      }
      #expect(realm.objects(IntKey.Item.self).count == Self.count)
    }
  }

  @Test func blockSetsIntegerKey() throws {
    try withItems([NoKey.Item.self, NoKey.Holder.self], fillPlain) { store in
      let realm = try store.open(NewKey.Item.self, NewKey.Holder.self, version: 1) { migration, _ in
        var next = 0
        migration.enumerateObjects(ofType: "Item") { _, new in
          next += 10
          new?["key"] = next
        }
        migration.create("Item", value: ["key": 1, "name": "New"])
      }
      #expect(realm.objects(NewKey.Item.self).map(\.key) == [1, 10, 20, 30, 40])
      try realm.write {
        realm.delete(try #require(realm.object(ofType: NewKey.Item.self, forPrimaryKey: 1)))
      }
      #expect(try story(realm) == expected)
    }
  }

  @Test func removedIntegerKeyKeepsValues() throws {
    try withItems([NoKey.Item.self, NoKey.Holder.self], fillPlain) { store in
      _ = try store.open(IntKey.Item.self, IntKey.Holder.self, version: 1)
      let realm = try store.open(NoKey.Item.self, NoKey.Holder.self, version: 2)
      #expect(try story(realm) == expected)
      #expect(realm.objects(NoKey.Item.self).map(\.number).sorted() == [-4, -1, 2, 5])
      try realm.write { realm.create(NoKey.Item.self, value: ["number": 5]) }
    }
  }

  @Test func integerKeyBecomesStringAndBack() throws {
    try withItems([NoKey.Item.self, NoKey.Holder.self], fillPlain) { store in
      _ = try store.open(IntKey.Item.self, IntKey.Holder.self, version: 1)
      var realm = try store.open(TextKey.Item.self, TextKey.Holder.self, version: 2) { m, _ in
        m.enumerateObjects(ofType: "Item") { $1?["number"] = "\($0?["number"] ?? "")" }
      }
      #expect(try story(realm) == expected)
      #expect(realm.object(ofType: TextKey.Item.self, forPrimaryKey: "-4")?.name == "I0")
      realm = try store.open(IntKey.Item.self, IntKey.Holder.self, version: 3) { m, _ in
        m.enumerateObjects(ofType: "Item") { old, new in
          new?["number"] = (old?["number"] as? String).flatMap { Int($0) }
        }
      }
      #expect(try story(realm) == expected)
      #expect(realm.objects(IntKey.Item.self).map(\.number) == [-4, -1, 2, 5])
    }
  }

  @Test func keyMovesToAnotherProperty() throws {
    try withItems(
      [Swap1.Item.self],
      { realm in
        for (a, b) in [(1, 2), (2, 3), (3, 1), (4, 9), (7, 7)] {
          let item = realm.create(Swap1.Item.self, value: ["a": a, "b": b])
          item.me = item
        }
      }
    ) { store in
      let realm = try store.open(Swap2.Item.self, version: 1)
      let items = realm.objects(Swap2.Item.self)
      #expect(items.map(\.b) == [1, 2, 3, 7, 9])
      #expect(items.map(\.a) == [3, 1, 2, 7, 4])
      #expect(items.map { $0.me?.b } == [1, 2, 3, 7, 9])
      #expect(items.where { $0.a == 4 }.map(\.b) == [9])
    }
  }

  @Test func stringKeyIsAddedAndRemoved() throws {
    try withItems([NoKey.Item.self, NoKey.Holder.self], fillPlain) { store in
      var realm = try store.open(NameKey.Item.self, NameKey.Holder.self, version: 1)
      #expect(try story(realm) == expected)
      #expect(realm.object(ofType: NameKey.Item.self, forPrimaryKey: "I2")?.number == 2)
      realm = try store.open(NoKey.Item.self, NoKey.Holder.self, version: 2)
      #expect(try story(realm) == expected)
      try realm.write { realm.create(NoKey.Item.self, value: ["name": "I2"]) }
    }
  }

  @Test(arguments: [true, false])
  func duplicateKeysFailMigration(isInteger: Bool) throws {
    try withItems([NoKey.Item.self, NoKey.Holder.self], fillPlain) { store in
      let error = thrownError {
        @Sendable func same(_ migration: Realm.Migration) {
          migration.enumerateObjects(ofType: "Item") { _, new in
            if isInteger { new?["number"] = 6 } else { new?["name"] = "same" }
          }
        }
        return isInteger
          ? try store.open(IntKey.Item.self, version: 1) { migration, _ in same(migration) }
          : try store.open(NameKey.Item.self, version: 1) { migration, _ in same(migration) }
      }
      #expect(error?.code == .duplicatePrimaryKey)
      #expect(error?.className == "Item")
      #expect(error?.propertyName == (isInteger ? "number" : "name"))
      #expect(error?.value == (isInteger ? "6" : "\"same\""))
      #expect(try store.schemaVersion() == 0)
      let realm = try store.open(NoKey.Item.self, NoKey.Holder.self, version: 0)
      #expect(try story(realm) == expected)
    }
  }

  @Test func unchangedKeyCannotBeReassigned() throws {
    try withMigratedFile { store in
      try store.fillShop()
      expectError(.primaryKeyChanged) {
        try store.open(Shop2.Person.self, version: 1) { migration, _ in
          migration.enumerateObjects(ofType: "Person") { $1?["id"] = 9 }
        }
      }
      expectError(.duplicatePrimaryKey) {
        try store.open(Shop2.Person.self, version: 1) { migration, _ in
          migration.create("Person", value: ["id": 1])
        }
      }
    }
  }
}

private enum NoKey {
  @Model final class Item: Object {
    @Persisted(indexed: true) var number: Int
    @Persisted var name: String
    @Persisted var tags: List<String>
    @Persisted var others: List<Item>
    @Persisted var next: Item?
  }
  @Model final class Holder: Object {
    @Persisted var one: Item?
    @Persisted var many: List<Item>
    @Persisted var byKey: Map<String, Item?>
  }
}

private enum IntKey {
  @Model final class Item: Object {
    @Persisted(primaryKey: true) var number: Int
    @Persisted(indexed: true) var name: String
    @Persisted var tags: List<String>
    @Persisted var others: List<Item>
    @Persisted var next: Item?
  }
  @Model final class Holder: Object {
    @Persisted var one: Item?
    @Persisted var many: List<Item>
    @Persisted var byKey: Map<String, Item?>
  }
}

private enum NewKey {
  @Model final class Item: Object {
    @Persisted(primaryKey: true) var key: Int
    @Persisted var name: String
    @Persisted var tags: List<String>
    @Persisted var others: List<Item>
    @Persisted var next: Item?
  }
  @Model final class Holder: Object {
    @Persisted var one: Item?
    @Persisted var many: List<Item>
    @Persisted var byKey: Map<String, Item?>
  }
}

private enum TextKey {
  @Model final class Item: Object {
    @Persisted(primaryKey: true) var number: String
    @Persisted var name: String
    @Persisted var tags: List<String>
    @Persisted var others: List<Item>
    @Persisted var next: Item?
  }
  @Model final class Holder: Object {
    @Persisted var one: Item?
    @Persisted var many: List<Item>
    @Persisted var byKey: Map<String, Item?>
  }
}

private enum NameKey {
  @Model final class Item: Object {
    @Persisted var number: Int
    @Persisted(primaryKey: true) var name: String
    @Persisted var tags: List<String>
    @Persisted var others: List<Item>
    @Persisted var next: Item?
  }
  @Model final class Holder: Object {
    @Persisted var one: Item?
    @Persisted var many: List<Item>
    @Persisted var byKey: Map<String, Item?>
  }
}

private enum Swap1 {
  @Model final class Item: Object {
    @Persisted(primaryKey: true) var a: Int
    @Persisted(indexed: true) var b: Int
    @Persisted var me: Item?
  }
}

private enum Swap2 {
  @Model final class Item: Object {
    @Persisted(indexed: true) var a: Int
    @Persisted(primaryKey: true) var b: Int
    @Persisted var me: Item?
  }
}
