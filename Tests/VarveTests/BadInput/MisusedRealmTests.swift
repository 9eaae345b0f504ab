import Foundation
import Testing
import Varve
import VarveJSONLines

/// Misuse of realms, of unmanaged objects and of undeclared classes inside a write.
@Suite struct MisusedRealmTests {
  typealias Ware = Depots.Ware
  typealias Depot = Depots.Depot

  @Test func nestedWriteIsRejected() throws {
    func refuse(_ name: String, _ use: @escaping (Realm) throws -> Void) -> Misuse {
      Misuse(name, .alreadyInWriteTransaction) { try use($0.realm) }
    }
    try Misuse.check([
      refuse("write") { try $0.write {} }, refuse("begin") { try $0.beginWrite() },
      refuse("another view") { try Realm(configuration: $0.configuration).write {} },
      refuse("invalidate") { $0.invalidate() },
      refuse("import") { try $0.importJSONLines(from: FileHandle.nullDevice) },
      Misuse("frozen realm", .frozen) { try $0.realm.freeze().write {} },
      Misuse("commit", .notInWriteTransaction) { try $0.realm.commitWrite() },
      Misuse("check of another store", .notInWriteTransaction) {
        try $0.stranger.realm?.checkWrite()
      },
      Misuse("write through a realm of another store", .notInWriteTransaction) {
        $0.stranger.realm?.add(Ware("n"))
      },
      Misuse("delete through a realm of another store", .notInWriteTransaction) {
        $0.stranger.realm?.deleteAll()
      },
    ])
  }

  @Test func unsupportedUseOfUnmanagedObjectIsRejected() throws {
    func refuse(
      _ name: String, _ className: String, _ use: @escaping (Depot) throws -> Void
    ) -> Misuse {
      Misuse(name, .unmanaged, className) { _ in try use(Depot(2)) }
    }
    try Misuse.check([
      refuse("freeze", "Depot") { _ = $0.freeze() },
      refuse("query", "Ware") { _ = $0.wares.where { $0.count > 0 }.count },
      refuse("sort", "Ware") { _ = $0.places.sorted(by: \.name).count },
      refuse("set", "Ware") { _ = $0.group.sorted(by: \.name).count },
      refuse("values", "Int") { _ = $0.numbers.sorted(ascending: true).count },
      Misuse("delete", .unmanaged, "Ware") { $0.realm.delete(Ware("n")) },
      Misuse("delete a list", .unmanaged, "Ware") { $0.realm.delete([$0.own, Ware("n")]) },
      Misuse("linking objects", .unmanaged, "Ware") { _ in
        let object = Ware("n")
        _ = try object.observe { _ in }
      },
    ])
  }

  @Test func classMissingFromFileIsRejected() throws {
    func refuse(_ name: String, _ use: @escaping (Realm) throws -> Void) -> Misuse {
      Misuse(name, .unknownClass, "Cat") { try use($0.realm) }
    }
    try Misuse.check([
      refuse("create") { $0.dynamicCreate("Cat") },
      refuse("create and update") { $0.dynamicCreate("Cat", value: ["id": 1], update: .all) },
      refuse("objects") { _ = try $0.dynamicObjects("Cat") },
      refuse("object") { _ = try $0.dynamicObject(ofType: "Cat", forPrimaryKey: 1) },
      Misuse("linking objects", .unknownClass, "Cat") {
        _ = try $0.dynamic().dynamicLinkingObjects(ofType: "Cat", property: "to")
      },
      Misuse("object without a class", .unknownClass, "DynamicObject") {
        $0.realm.add(DynamicObject())
      },
    ])
  }

  @Test func dynamicObjectChecksLinkedClass() throws {
    func refuse(
      _ name: String, _ property: String, _ value: String,
      _ use: @escaping (DynamicObject, DynamicObject) throws -> Void
    ) -> Misuse {
      Misuse(name, .typeMismatch, "Depot", property, value) { scene in
        let slip = scene.realm.dynamicCreate("Slip", value: ["text": "s"])
        try use(try scene.dynamic(), slip)
      }
    }
    let other = "object of class Slip"
    try Misuse.check([
      refuse("append", "wares", other) { try $0.dynamicList("wares").append($1) },
      refuse("insert", "wares", other) { try $0.dynamicList("wares").insert($1, at: 0) },
      refuse("replace", "wares", other) { try $0.dynamicList("wares")[0] = $1 },
      refuse("map", "places", other) { try $0.dynamicMap("places")["x"] = $1 },
      refuse("map set", "places", other) {
        try $0.dynamicMap("places").set([(key: "x", value: $1)])
      },
      refuse("set", "group", other) { try $0.dynamicSet("group").insert($1) },
      refuse("link", "best", "object of type DynamicObject") { $0.best = $1 },
      refuse("embedded", "tag", "object of type DynamicObject") { $0.tag = $1 },
      refuse("list of another type", "numbers", "List<Int>") { depot, _ in
        _ = try depot.dynamicList("numbers", of: String.self)
      },
      refuse("map of another type", "notes", "Map<String, String>") { depot, _ in
        _ = try depot.dynamicMap("notes", of: Int.self)
      },
      refuse("set of another type", "marks", "MutableSet<Int>") { depot, _ in
        _ = try depot.dynamicSet("marks", of: String.self)
      },
      refuse("list that is none", "title", "String") { depot, _ in
        _ = try depot.dynamicList("title")
      },
      refuse("key of another type", "id", "x") { depot, _ in
        _ = try depot.realm?.dynamicObject(ofType: "Depot", forPrimaryKey: "x")
      },
      refuse("no link", "title", "Depot") { depot, _ in
        _ = try depot.dynamicLinkingObjects(ofType: "Depot", property: "title")
      },
    ])
  }

  @Test func embeddedObjectWithoutParentIsRejected() throws {
    try Misuse.check([
      Misuse("create", .invalidInput, "Tag") {
        $0.realm.dynamicCreate("Tag", value: ["text": "x"])
      },
      Misuse("add", .invalidInput, "Tag") { try $0.realm.add($0.unmanagedTag()) },
      Misuse("add and update", .invalidInput, "Tag") {
        try $0.realm.add($0.unmanagedTag(), update: .all)
      },
      Misuse("mixed", .invalidInput, "Depot", "extra", "object of class Tag") {
        try $0.dynamic().extra = AnyRealmValue.object($0.unmanagedTag())
      },
      Misuse("mixed list", .invalidInput, "Depot", "extras", "object of class Tag") {
        try $0.depot.extras.append(.object($0.unmanagedTag()))
      },
    ])
  }

  @Test func unsupportedAggregateIsRejected() throws {
    func refuse(
      _ name: String, _ className: String, _ property: String?, _ value: String?,
      _ use: @escaping (Depot) throws -> Void
    ) -> Misuse {
      Misuse(name, .invalidInput, className, property, value) { try use($0.depot) }
    }
    try Misuse.check([
      refuse("sum of texts", "Ware", "name", "String") {
        let _: Int = try $0.wares.sum(ofProperty: "name")
      },
      refuse("least of links", "Depot", "best", "Ware?") {
        let _: Int? = try $0.tags[0].depots.min(ofProperty: "best")
      },
      refuse("average of a list", "Depot", "numbers", "List<Int>") {
        _ = try $0.tags[0].depots.average(ofProperty: "numbers")
      },
      refuse("operator on texts", "Ware", "name", "@sum.name of type String") {
        _ = try $0.value(forKeyPath: "wares.@sum.name")
      },
      refuse("operator on values", "String", nil, "@avg.self of type String") {
        _ = try $0.value(forKeyPath: "notes.@avg.self")
      },
      refuse("unknown operator", "Ware", nil, "@median") {
        _ = try $0.value(forKeyPath: "wares.@median.count")
      },
      refuse("operator without a property", "Ware", nil, "@sum") {
        _ = try $0.value(forKeyPath: "wares.@sum")
      },
      refuse("nested operator", "Ware", nil, "@sum.best.count") {
        _ = try $0.value(forKeyPath: "wares.@sum.best.count")
      },
      refuse("empty name", "Depot", nil, "best..name") {
        _ = try $0.value(forKeyPath: "best..name")
      },
      refuse("operator as a key", "Ware", nil, "@count") {
        _ = try $0.wares.value(forKey: "@count")
      },
      refuse("operator as a key of a map", "String", nil, "@max") {
        _ = try $0.notes.value(forKey: "@max")
      },
    ])
  }
}
