import Foundation
import Testing
import Varve

/// Objects that cannot be stored in the given property or collection, through every API that stores
/// objects.
@Suite struct MisplacedObjectTests {
  typealias Ware = Depots.Ware
  typealias Depot = Depots.Depot

  /// Every way to store an object in a property of a depot.
  private func putting(
    _ code: Realm.Error.Code, _ value: String, _ ware: @escaping (MisuseScene) -> Ware
  ) -> [Misuse] {
    func use(
      _ name: String, _ property: String, _ use: @escaping (Depot, Ware) -> Void
    ) -> [Misuse] {
      [
        Misuse("\(name)", code, "Depot", property, value) { use($0.depot, ware($0)) },
        // In an unmanaged object that is then added.
        Misuse("\(name), then added", code, "Depot", property, value) { scene in
          let depot = Depot(2)
          depot.wares.append(Ware("new"))
          use(depot, ware(scene))
          scene.realm.add(depot)
        },
      ]
    }
    return use("link", "best") { $0.best = $1 }
      + use("list append", "wares") { $0.wares.append($1) }
      + use("list append several", "wares") { $0.wares.append(objectsIn: [Ware("n"), $1]) }
      + use("list insert", "wares") { $0.wares.insert($1, at: 0) }
      + use("list insert several", "wares") { $0.wares.insert(contentsOf: [$1, $1], at: 1) }
      + use("list subscript", "wares") { $0.wares[0] = $1 }
      + use("list replace", "wares") { $0.wares.replace(index: 0, object: $1) }
      + use("list subrange", "wares") { $0.wares.replaceSubrange(0..<1, with: [$1]) }
      + use("list assignment", "wares") { depot, ware in
        let list = List<Ware>()
        list.append(ware)
        depot.wares = list
      }
      + use("map subscript", "places") { $0.places["x"] = $1 }
      + use("map update", "places") { $0.places.updateValue($1, forKey: "a") }
      + use("map set", "places") { $0.places.set([(key: "n", value: Ware("n")), ("x", $1)]) }
      + use("map merge", "places") { $0.places.merge([("a", $1)]) { $1 } }
      + use("map entries", "places") { $0.places.addEntries(from: [(key: "x", value: $1)]) }
      + use("set insert", "group") { $0.group.insert($1) }
      + use("set insert several", "group") { $0.group.insert(objectsIn: [Ware("n"), $1]) }
      + use("set union", "group") { $0.group.formUnion([$1]) }
      + use("set difference", "group") { $0.group.formSymmetricDifference([$1]) }
      + use("set assignment", "group") { depot, ware in
        let set = MutableSet<Ware>()
        set.insert(ware)
        depot.group = set
      }
      + use("mixed", "extra") { $0.extra = .object($1) }
      + use("mixed list", "extras") { $0.extras.append(.object($1)) }
      + use("mixed map", "fields") { $0.fields["x"] = .object($1) }
      + use("mixed set", "kinds") { $0.kinds.insert(.object($1)) }
      + use("nested in a mixed value", "extra") { $0.extra = [1, .object($1)] }
      + use("nested in a mixed list", "extras") { $0.extras.append(["x": .object($1)]) }
      + use("nested in a mixed map", "fields") { $0.fields["x"] = [.object($1)] }
      + [
        Misuse("nested list", code, "Depot", "extra", value) {
          $0.depot.extra.listValue?.append(.object(ware($0)))
        },
        Misuse("nested map", code, "Depot", "extra", value) {
          $0.depot.extra[1]?.dictionaryValue?["y"] = .object(ware($0))
        },
      ]
  }

  @Test func everySetterRejectsObjectOfAnotherStore() throws {
    try Misuse.check(
      putting(.foreignObject, "object of class Ware") { $0.stranger } + [
        Misuse("add", .foreignObject, "Ware") { $0.realm.add($0.stranger) },
        Misuse("add and update", .foreignObject, "Ware") {
          $0.realm.add($0.stranger, update: .modified)
        },
        Misuse("delete", .foreignObject, "Ware") { $0.realm.delete($0.stranger) },
        Misuse("delete a list", .foreignObject, "Ware") { $0.realm.delete($0.strangeDepot.wares) },
        Misuse("update", .foreignObject, "Depot", "best", "object of class Ware") { scene in
          let depot = Depot(1)
          depot.best = scene.stranger
          scene.realm.add(depot, update: .all)
        },
        Misuse("update of what differs", .foreignObject, "Depot", "best", "object of class Ware") {
          let depot = Depot(1)
          depot.best = $0.stranger
          $0.realm.add(depot, update: .modified)
        },
      ])
  }

  @Test func objectOfAnotherStoreIsNotChanged() throws {
    try Misuse.check([
      Misuse("property", .foreignObject, "Depot", "title") { $0.strangeDepot.title = "x" },
      Misuse("link", .foreignObject, "Depot", "best") { $0.strangeDepot.best = $0.own },
      Misuse("list", .foreignObject, "Depot", "numbers") { $0.strangeDepot.numbers.append(1) },
      Misuse("map", .foreignObject, "Depot", "notes") { $0.strangeDepot.notes["a"] = "b" },
      Misuse("set", .foreignObject, "Depot", "marks") { $0.strangeDepot.marks.insert(9) },
      Misuse("mixed", .foreignObject, "Depot", "extra") { $0.strangeDepot.extra = [] },
      Misuse("nested", .foreignObject, "Depot", "extra") {
        $0.strangeDepot.extra.listValue?.append(.int(1))
      },
      Misuse("by a name", .notInWriteTransaction, "Depot", "title") {
        try $0.strangeDepot.setValue("x", forKey: "title")
      },
      Misuse("by a name in a collection", .notInWriteTransaction, "Ware", "count") {
        try $0.strangeDepot.wares.setValue(1, forKey: "count")
      },
    ])
  }

  @Test func everySetterRejectsDeletedObject() throws {
    let value = "object of class Ware"
    try Misuse.check(
      putting(.invalidatedObject, value) { $0.gone } + [
        Misuse("add", .invalidatedObject, "Ware") { $0.realm.add($0.gone) },
        Misuse("delete", .invalidatedObject, "Ware") { $0.realm.delete([$0.own, $0.gone]) },
        Misuse("create with it", .invalidatedObject, "Depot", "best", value) {
          $0.realm.create(Depot.self, value: ["id": 2, "best": $0.gone])
        },
        Misuse("create from it", .invalidatedObject, "Ware") {
          $0.realm.create(Ware.self, value: $0.gone)
        },
        Misuse("by a name", .invalidatedObject, "Depot", "best", value) {
          try $0.depot.setValue($0.gone, forKey: "best")
        },
        Misuse("in a list by a name", .invalidatedObject, "Depot", "wares", value) {
          try $0.depot.setValue([$0.own, $0.gone], forKey: "wares")
        },
      ])
  }

  @Test func deletedObjectIsNeitherReadNorChanged() throws {
    func gone(
      _ name: String, _ property: String, _ use: @escaping (Depot) throws -> Void
    ) -> Misuse {
      Misuse(name, .invalidatedObject, "Depot", property) { try use($0.goneDepot) }
    }
    try Misuse.check([
      gone("set", "title") { $0.title = "x" }, gone("set a key", "id") { $0.id = 3 },
      gone("set a link", "best") { $0.best = nil },
      gone("set an object", "best") { $0.best = Ware("n") },
      gone("set mixed", "extra") { $0.extra = .int(1) },
      gone("set nested", "extra") { $0.extra = [] },
      gone("set embedded", "tag") { $0.tag = Depots.Tag() },
      gone("read", "title") { _ = $0.title }, gone("read a link", "best") { _ = $0.best },
      gone("read an enumeration", "kind") { _ = $0.kind },
      gone("read mixed", "extra") { _ = $0.extra },
      gone("append", "numbers") { $0.numbers.append(1) },
      gone("append objects", "wares") { $0.wares.append(Ware("n")) },
      gone("remove", "numbers") { $0.numbers.removeAll() },
      gone("assign", "numbers") { $0.numbers = List() },
      gone("count", "numbers") { _ = $0.numbers.count },
      gone("element", "numbers") { _ = $0.numbers[0] },
      gone("walk", "wares") { _ = $0.wares.map(\.name) },
      gone("map set", "notes") { $0.notes["a"] = "b" },
      gone("map read", "notes") { _ = $0.notes["a"] },
      gone("map keys", "places") { _ = $0.places.keys },
      gone("map set all", "places") { $0.places.set([(key: "a", value: nil)]) },
      gone("insert", "marks") { $0.marks.insert(2) },
      gone("contains", "marks") { _ = $0.marks.contains(1) },
      gone("mixed list", "extras") { $0.extras.append(.int(1)) },
      gone("mixed map", "fields") { $0.fields["a"] = .int(1) },
      gone("mixed set", "kinds") { $0.kinds.removeAll() },
      gone("by a name", "title") { try $0.setValue("x", forKey: "title") },
      gone("by a subscript", "title") { $0["title"] = "x" },
      gone("read by a name", "title") { _ = try $0.value(forKey: "title") },
      gone("read by a subscript", "title") { _ = $0["title"] },
      gone("read by a path", "best") { _ = try $0.value(forKeyPath: "best.name") },
      gone("list by a name", "numbers") { try $0.numbers.setValue(1, forKey: "self") },
      gone("elements by a name", "wares") { try $0.wares.setValue(1, forKey: "count") },
      gone("map by a name", "notes") { try $0.notes.setValue("x", forKey: "a") },
      gone("operator", "numbers") { _ = try $0.numbers.value(forKeyPath: "@sum.self") },
    ])
  }

  @Test func everySetterRejectsObjectOfDerivedClass() throws {
    func refuse(
      _ name: String, _ property: String, _ use: @escaping (Depot, Ware) -> Void
    ) -> Misuse {
      Misuse(name, .typeMismatch, "Depot", property, "object of class RareWare") {
        use($0.depot, Depots.RareWare("rare"))
      }
    }
    try Misuse.check([
      refuse("link", "best") { $0.best = $1 },
      refuse("list append", "wares") { $0.wares.append($1) },
      refuse("list insert", "wares") { $0.wares.insert($1, at: 0) },
      refuse("list replace", "wares") { $0.wares[0] = $1 },
      refuse("map", "places") { $0.places["a"] = $1 },
      refuse("map set", "places") { $0.places.set([(key: "x", value: $1)]) },
      refuse("set", "group") { $0.group.insert($1) },
    ])
  }

  @Test func secondParentOfEmbeddedObjectIsRejected() throws {
    func refuse(
      _ name: String, _ property: String, _ use: @escaping (Depot) throws -> Void
    ) -> Misuse {
      Misuse(name, .alreadyEmbedded, "Depot", property, "object of class Tag") { try use($0.depot) }
    }
    try Misuse.check([
      refuse("property", "tag") { $0.tag = $0.tags[0] },
      refuse("append", "tags") { depot in depot.tag.map { depot.tags.append($0) } },
      refuse("insert", "tags") { $0.tags.insert($0.tags[1], at: 0) },
      refuse("replace", "tags") { $0.tags[0] = $0.tags[1] },
      refuse("subrange", "tags") { $0.tags.replaceSubrange(0..<1, with: [$0.tags[1]]) },
      refuse("map", "tagged") { $0.tagged["x"] = $0.tag },
      refuse("map set", "tagged") { $0.tagged.set([(key: "x", value: $0.tag)]) },
      refuse("map merge", "tagged") { $0.tagged.merge([("x", $0.tags[0])]) { $1 } },
      refuse("twice", "tags") { depot in
        let tag = Depots.Tag()
        depot.tags.append(objectsIn: [tag, tag])
      },
      refuse("in a new object", "tags") { depot in
        let other = Depot(2)
        other.tags.append(depot.tags[0])
        depot.realm?.add(other)
      },
    ])
  }
}
