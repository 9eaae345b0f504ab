import Foundation
import Testing
import Varve

/// Indexes, keys and contents of collections that a write must reject, for every kind of
/// collection.
@Suite struct MisusedCollectionTests {
  typealias Ware = Depots.Ware
  typealias Depot = Depots.Depot

  @Test func everyListRejectsIndexOutOfBounds() throws {
    func list<E: RealmCollectionValue>(
      _ property: String, _ count: Int, _ element: @escaping @autoclosure () -> E,
      _ list: @escaping (Depot) -> List<E>?
    ) -> [Misuse] {
      func use(
        _ name: String, _ value: String, _ use: @escaping (List<E>) -> Void
      ) -> Misuse {
        Misuse("\(property) \(name)", .indexOutOfBounds, "Depot", property, value) {
          use(try #require(list($0.depot)))
        }
      }
      let behind = "index \(count), count \(count)"
      return [
        use("read", behind) { _ = $0[count] },
        use("read before", "index -1, count \(count)") { _ = $0[-1] },
        use("subscript", behind) { $0[count] = element() },
        use("replace", behind) { $0.replace(index: count, object: element()) },
        use("insert", "index \(count + 1), count \(count)") { $0.insert(element(), at: count + 1) },
        use("insert several", "index -1, count \(count)") {
          $0.insert(contentsOf: [element()], at: -1)
        },
        use("remove", behind) { $0.remove(at: count) },
        use("remove last", "removing the last \(count + 1) of \(count)") {
          $0.removeLast(count + 1)
        },
        use("remove subrange", "index \(count + 1), count \(count)") {
          $0.removeSubrange(0..<count + 1)
        },
        use("replace subrange", "index \(count + 1), count \(count)") {
          $0.replaceSubrange(0..<count + 1, with: [element()])
        },
        use("remove offsets", behind) { $0.remove(atOffsets: [0, count]) },
        use("move", behind) { $0.move(from: count, to: 0) },
        use("move to", behind) { $0.move(from: 0, to: count) },
        use("move offsets", behind) { $0.move(fromOffsets: [count], toOffset: 0) },
        use("swap", behind) { $0.swapAt(0, count) },
      ]
    }
    try Misuse.check(
      list("wares", 1, Ware("n")) { $0.wares }
        + list("extras", 1, AnyRealmValue.int(1)) { $0.extras }
        + list("tags", 2, Depots.Tag()) { $0.tags }
        + list("extra", 2, AnyRealmValue.int(1)) { $0.extra.listValue })
  }

  @Test func otherCollectionsRejectIndexOutOfBounds() throws {
    let linking = "index 1, count 1"
    try Misuse.check([
      Misuse("set", .indexOutOfBounds, "Depot", "marks", "index 1, count 1") {
        _ = $0.depot.marks[1]
      },
      Misuse("set of objects", .indexOutOfBounds, "Depot", "group", "index -1, count 1") {
        _ = $0.depot.group[-1]
      },
      Misuse("results", .indexOutOfBounds, "Ware", nil, "index 3, count 2") {
        _ = $0.realm.objects(Ware.self)[3]
      },
      Misuse("results of values", .indexOutOfBounds, "Depot", nil, "index 4, count 4") {
        _ = $0.depot.numbers.sorted(ascending: false)[4]
      },
      Misuse("linking objects", .indexOutOfBounds, "Depot", nil, linking) {
        _ = $0.depot.tags[0].depots[1]
      },
      Misuse("any collection", .indexOutOfBounds, "Depot", "wares", linking) {
        _ = AnyRealmCollection($0.depot.wares)[1]
      },
      Misuse("dynamic list", .indexOutOfBounds, "Depot", "wares", linking) {
        _ = try $0.dynamic().dynamicList("wares")[1]
      },
    ])
  }

  @Test func everyMapRejectsInvalidKey() throws {
    func refuse(
      _ name: String, _ property: String, _ use: @escaping (Depot, String) throws -> Void
    ) -> [Misuse] {
      ["a.b", "$a"].map { key in
        Misuse("\(name) \(key)", .invalidKey, "Depot", property, "\"\(key)\"") {
          try use($0.depot, key)
        }
      }
    }
    let typed =
      refuse("values", "notes") { $0.notes[$1] = "x" }
      + refuse("update", "notes") { $0.notes.updateValue("x", forKey: $1) }
      + refuse("set", "notes") { $0.notes.set([(key: "good", value: "x"), ($1, "x")]) }
      + refuse("merge", "notes") { $0.notes.merge([("good", "x"), ($1, "x")]) { $1 } }
      + refuse("entries", "notes") { $0.notes.addEntries(from: [(key: $1, value: "x")]) }
      + refuse("assignment", "notes") { depot, key in
        let map = Map<String, String>()
        map[key] = "x"
        depot.notes = map
      }
      + refuse("objects", "places") { $0.places[$1] = Ware("n") }
      + refuse("mixed", "fields") { $0.fields[$1] = .int(1) }
      + refuse("nested in mixed", "fields") { $0.fields["good"] = .fromDictionary([$1: 1]) }
      + refuse("nested in a list", "extras") { $0.extras.append(.fromDictionary([$1: 1])) }
      + refuse("mixed value", "extra") { $0.extra = .fromDictionary([$1: 1]) }
      + refuse("deeply nested", "extra") { $0.extra = [1, [.fromDictionary([$1: 1])]] }
      + refuse("nested map", "extra") { $0.extra[1]?.dictionaryValue?[$1] = 1 }
      + refuse("embedded", "tagged") { $0.tagged[$1] = Depots.Tag() }
    let named =
      refuse("by a name", "notes") { try $0.setValue([$1: "x"], forKey: "notes") }
      + refuse("map by a name", "notes") { try $0.notes.setValue("x", forKey: $1) }
      + refuse("create", "notes") {
        $0.realm?.create(Depot.self, value: ["id": 2, "notes": ["good": "x", $1: "x"]])
      }
      + refuse("create mixed", "extra") {
        $0.realm?.create(Depot.self, value: ["id": 2, "extra": [$1: "x"]])
      }
      + refuse("update", "notes") {
        $0.realm?.create(Depot.self, value: ["id": 1, "notes": [$1: "x"]], update: .modified)
      }
      + refuse("dynamic", "notes") {
        $0.realm?.dynamicCreate("Depot", value: ["id": 2, "notes": [$1: "x"]])
      }
    try Misuse.check(typed + named)
  }

  @Test func invalidNestedCollectionIsRejected() throws {
    func deep() -> AnyRealmValue { (0..<101).reduce(.int(1)) { value, _ in [value] } }
    func circular() -> AnyRealmValue {
      let list = List<AnyRealmValue>()
      list.append(.list(list))
      return .list(list)
    }
    func refuse(
      _ name: String, _ property: String, _ use: @escaping (Depot) throws -> Void
    ) -> Misuse {
      Misuse(name, .invalidInput, "Depot", property) { try use($0.depot) }
    }
    func inSet(
      _ name: String, _ value: String = "a list", _ use: @escaping (Depot) throws -> Void
    ) -> Misuse {
      Misuse(name, .typeMismatch, "Depot", "kinds", value) { try use($0.depot) }
    }
    try Misuse.check([
      refuse("deep", "extra") { $0.extra = deep() },
      refuse("deep in a list", "extras") { $0.extras.append(deep()) },
      refuse("deep in a map", "fields") { $0.fields["x"] = deep() },
      refuse("deep in a nested list", "extra") { $0.extra.listValue?.append(deep()) },
      refuse("deep in a new object", "extra") { depot in
        let other = Depot(2)
        other.extra = deep()
        depot.realm?.add(other)
      },
      refuse("deep in a list of a new object", "extras") { depot in
        let other = Depot(2)
        other.extras.append(deep())
        depot.realm?.add(other)
      },
      refuse("circular", "extra") { $0.extra = circular() },
      refuse("circular in a list", "extras") { $0.extras[0] = circular() },
      refuse("circular in a new object", "fields") { depot in
        let other = Depot(2)
        other.fields["x"] = circular()
        depot.realm?.add(other)
      },
      inSet("list in a set") { $0.kinds.insert([1]) },
      inSet("map in a set", "a dictionary") { $0.kinds.insert(objectsIn: [1, ["a": 1]]) },
      inSet("list in a set of a new object") { depot in
        let other = Depot(2)
        other.kinds.insert([1])
        depot.realm?.add(other)
      },
    ])
  }

  @Test func frozenObjectsAndCollectionsAreNotChanged() throws {
    func refuse(
      _ name: String, _ property: String, _ use: @escaping (Depot) throws -> Void
    ) -> Misuse {
      Misuse(name, .frozen, "Depot", property) { try use($0.depot.freeze()) }
    }
    try Misuse.check([
      refuse("property", "title") { $0.title = "x" }, refuse("key", "id") { $0.id = 1 },
      refuse("link", "best") { $0.best = Ware("n") }, refuse("embedded", "tag") { $0.tag = nil },
      refuse("mixed", "extra") { $0.extra = 1 }, refuse("nested", "extra") { $0.extra = [] },
      refuse("append", "numbers") { $0.numbers.append(1) },
      refuse("replace", "wares") { $0.wares[0] = Ware("n") },
      refuse("remove", "wares") { $0.wares.removeAll() },
      refuse("move", "tags") { $0.tags.move(from: 0, to: 1) },
      refuse("assign", "numbers") { $0.numbers = List() },
      refuse("map", "notes") { $0.notes["a"] = "b" },
      refuse("map remove", "notes") { $0.notes["k"] = nil },
      refuse("map set", "places") { $0.places.set([(key: "a", value: nil)]) },
      refuse("insert", "marks") { $0.marks.insert(5) },
      refuse("set remove", "group") { $0.group.removeAll() },
      refuse("mixed list", "extras") { $0.extras.removeAll() },
      refuse("mixed map", "fields") { $0.fields["a"] = 1 },
      refuse("nested list", "extra") { $0.extra.listValue?.append(1) },
      refuse("nested map", "extra") { $0.extra[1]?.dictionaryValue?["a"] = 1 },
      refuse("by a name", "title") { try $0.setValue("x", forKey: "title") },
      refuse("by a subscript", "title") { $0["title"] = "x" },
      refuse("list by a name", "numbers") { try $0.numbers.setValue(1, forKey: "self") },
      refuse("map by a name", "notes") { try $0.notes.setValue("x", forKey: "a") },
      Misuse("delete", .frozen, "Depot") { $0.realm.delete($0.depot.freeze()) },
      Misuse("elements", .frozen, "Ware", "count") {
        try $0.depot.wares.freeze().setValue(1, forKey: "count")
      },
      Misuse("dynamic", .frozen, "Depot", "title") { try $0.dynamic().freeze()["title"] = "x" },
      Misuse("realm", .frozen) { $0.realm.freeze().add(Ware("n")) },
      Misuse("realm create", .frozen) { $0.realm.freeze().create(Ware.self) },
      Misuse("realm delete", .frozen) { $0.realm.freeze().deleteAll() },
    ])
  }
}
