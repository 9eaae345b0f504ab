import Foundation
import Testing
import Varve

/// Values that do not match their property, through every API that sets values.
@Suite struct MisusedValueTests {
  typealias Ware = Depots.Ware
  typealias Depot = Depots.Depot

  /// Every way to set the properties of a depot by name.
  private func giving(
    _ property: String, _ given: Any, _ code: Realm.Error.Code, _ value: String?,
    className: String = "Depot", propertyName: String? = nil
  ) -> [Misuse] {
    let name = propertyName ?? property
    func misuse(_ way: String, _ use: @escaping (MisuseScene) throws -> Void) -> Misuse {
      Misuse("\(way): \(property) = \(type(of: given))", code, className, name, value, use)
    }
    return [
      misuse("create") { $0.realm.create(Depot.self, value: ["id": 2, property: given]) },
      misuse("update") {
        $0.realm.create(Depot.self, value: ["id": 1, property: given], update: .all)
      },
      misuse("update of what differs") {
        $0.realm.create(Depot.self, value: ["id": 1, property: given], update: .modified)
      },
      misuse("add") { $0.realm.add(Depot(value: ["id": 2, property: given])) },
      misuse("link to a new one") {
        let slip = Depots.Bundle(value: ["depot": ["id": 2, property: given]])
        $0.realm.add(slip)
      },
      misuse("validate") { _ in _ = try Depot(validating: ["id": 2, property: given]) },
      misuse("set by a name") { try $0.depot.setValue(given, forKey: property) },
      misuse("set by a subscript") { $0.depot[property] = given },
      misuse("set in results") {
        try $0.realm.objects(Depot.self).setValue(given, forKey: property)
      },
      misuse("set in a dynamic object") { try $0.dynamic()[property] = given },
      misuse("set in a dynamic object by a name") {
        try $0.dynamic().setValue(given, forKey: property)
      },
      misuse("set in dynamic results") {
        try $0.realm.dynamicObjects("Depot").setValue(given, forKey: property)
      },
      misuse("dynamic create") {
        $0.realm.dynamicCreate("Depot", value: ["id": 2, property: given])
      },
      misuse("dynamic update") {
        $0.realm.dynamicCreate("Depot", value: ["id": 1, property: given], update: .modified)
      },
    ]
  }

  @Test func nullForRequiredPropertyIsRejected() throws {
    let single = ["title", "small", "kind"].flatMap {
      giving($0, NSNull(), .missingValue, "nil")
    }
    try Misuse.check(
      single + giving("numbers", [1, NSNull()], .missingValue, "nil")
        + giving("wares", [NSNull()], .missingValue, "nil")
        + giving("notes", ["a": NSNull()], .missingValue, "nil")
        + giving("group", [NSNull()], .missingValue, "nil")
        + giving("marks", [1, NSNull()], .missingValue, "nil")
        + giving("tags", [NSNull()], .missingValue, "nil"))
  }

  @Test func mistypedValueIsRejected() throws {
    let slip = Depots.Slip()
    let wrong: [(String, Any, String)] = [
      ("title", 7, "7 of type Int"), ("small", 128, "128 of type Int"),
      ("small", "1", "1 of type String"), ("maybe", 1.5, "1.5 of type Double"),
      ("best", "x", "x of type String"), ("best", slip, "object of type Slip"),
      ("wares", "x", "x of type String"), ("wares", ["x"], "x of type String"),
      ("wares", [slip], "object of type Slip"), ("places", [1], "1 elements of type Array<Int>"),
      ("places", ["a": slip], "object of type Slip"), ("group", ["x"], "x of type String"),
      ("numbers", [1, "x"], "x of type String"), ("numbers", [true], "true of type Bool"),
      ("numbers", ["a": 1], "1 elements of type Dictionary<String, Int>"),
      ("notes", ["a": 1], "1 of type Int"), ("marks", [1, 1.5], "1.5 of type Double"),
      ("extra", Nothing(), "nothing of type Nothing"),
      ("extras", [Nothing()], "nothing of type Nothing"),
      ("fields", ["a": Nothing()], "nothing of type Nothing"),
      ("kinds", [["nested"]], "1 elements of type Array<String>"),
      ("tag", 1, "1 of type Int"), ("tags", [1], "1 of type Int"),
      ("tagged", ["a": slip], "object of type Slip"),
    ]
    try Misuse.check(wrong.flatMap { giving($0.0, $0.1, .typeMismatch, $0.2) })
  }

  @Test func nestedValueErrorNamesNestedClass() throws {
    try Misuse.check(
      giving(
        "best", ["name": 7], .typeMismatch, "7 of type Int", className: "Ware", propertyName: "name"
      )
        + giving(
          "wares", [["name": "n", "count": NSNull()]], .missingValue, "nil", className: "Ware",
          propertyName: "count")
        + giving(
          "tagged", ["a": ["text": 1]], .typeMismatch, "1 of type Int", className: "Tag",
          propertyName: "text"))
  }

  @Test func unknownPropertyIsRejected() throws {
    try Misuse.check(
      // In the value passed to `create`, unknown names are ignored.
      (giving("nothing", "x", .unknownProperty, "x") + giving("ID", 1, .unknownProperty, "1"))
        .filter { $0.name.hasPrefix("set") } + [
          Misuse("read by a name", .unknownProperty, "Depot", "nothing") {
            _ = try $0.depot.value(forKey: "nothing")
          },
          Misuse("read by a subscript", .unknownProperty, "Depot", "nothing") {
            _ = $0.depot["nothing"]
          },
          Misuse("read by a path", .unknownProperty, "Ware", "nothing") {
            _ = try $0.depot.value(forKeyPath: "best.nothing")
          },
          Misuse("read in a list", .unknownProperty, "Ware", "nothing") {
            _ = try $0.depot.wares.value(forKey: "nothing")
          },
          Misuse("operator", .unknownProperty, "Ware", "nothing") {
            _ = try $0.depot.value(forKeyPath: "wares.@sum.nothing")
          },
          Misuse("set in a list", .unknownProperty, "Ware", "nothing", "1") {
            try $0.depot.wares.setValue(1, forKey: "nothing")
          },
          Misuse("set in linking objects", .unknownProperty, "Depot", "nothing", "1") {
            try $0.depot.tags[0].depots.setValue(1, forKey: "nothing")
          },
          Misuse("dynamic member", .unknownProperty, "Depot", "nothing") {
            _ = try $0.dynamic().nothing
          },
          Misuse("dynamic list", .unknownProperty, "Depot", "nothing") {
            _ = try $0.dynamic().dynamicList("nothing")
          },
          Misuse("sorted", .unknownProperty, "Ware", "nothing") {
            let name = "nothing"
            _ = try $0.depot.wares.sorted(byKeyPath: name)
          },
          Misuse("aggregate", .unknownProperty, "Ware", "nothing") {
            _ = try $0.depot.wares.average(ofProperty: "nothing")
          },
          Misuse("condition", .unknownProperty, "Ware", "nothing") {
            let condition = "nothing == %@"
            _ = try $0.realm.objects(Ware.self).filter(condition, 1)
          },
        ])
  }

  @Test func nonObjectValueIsRejected() throws {
    let tooMany = Array(repeating: 1, count: 40)
    try Misuse.check([
      Misuse("number", .invalidInput, "Depot", nil, "Int") {
        $0.realm.create(Depot.self, value: 7)
      },
      Misuse("null", .invalidInput, "Depot", nil, "NSNull") {
        $0.realm.create(Depot.self, value: NSNull())
      },
      Misuse("too many values", .invalidInput, "Depot", nil, "40 values, 19 properties") {
        $0.realm.create(Depot.self, value: tooMany)
      },
      Misuse("wrong place", .typeMismatch, "Depot", "title", "2 of type Int") {
        $0.realm.create(Depot.self, value: [1, 2])
      },
      Misuse("object of another class", .typeMismatch, "Depot", nil, "object of class Ware") {
        $0.realm.create(Depot.self, value: $0.own)
      },
      Misuse("dynamic, of another class", .typeMismatch, "Ware", "name", "7 of type Int") {
        $0.realm.dynamicCreate("Ware", value: [7])
      },
      Misuse("embedded as an array", .invalidInput, "Tag", nil, "2 values, 1 properties") {
        $0.realm.create(Depot.self, value: ["id": 2, "tag": ["a", "b"]])
      },
      Misuse("linking objects", .invalidInput, "Tag", "depots", "0 elements") {
        try $0.depot.tags[0].setValue([], forKey: "depots")
      },
    ])
  }

  @Test func duplicateKeyIsRejected() throws {
    let taken = "\"ware 1\""
    try Misuse.check(
      giving(
        "best", ["name": "ware 1"], .duplicatePrimaryKey, taken, className: "Ware",
        propertyName: "name"
      ).filter { !$0.name.contains("update") && !$0.name.contains("validate") } + [
        Misuse("add", .duplicatePrimaryKey, "Depot", "id", "1") { $0.realm.add(Depot(1)) },
        Misuse("create", .duplicatePrimaryKey, "Depot", "id", "1") {
          $0.realm.create(Depot.self, value: ["id": 1])
        },
        Misuse("text", .duplicatePrimaryKey, "Ware", "name", taken) {
          $0.realm.add(Ware("ware 1"))
        },
        Misuse("several", .duplicatePrimaryKey, "Ware", "name", "\"n\"") {
          $0.realm.add([Ware("n"), Ware("n")])
        },
        Misuse("append", .duplicatePrimaryKey, "Ware", "name", taken) {
          $0.depot.wares.append(Ware("ware 1"))
        },
        Misuse("map", .duplicatePrimaryKey, "Ware", "name", taken) {
          $0.depot.places["x"] = Ware("ware 1")
        },
        Misuse("set", .duplicatePrimaryKey, "Ware", "name", taken) {
          $0.depot.group.insert(Ware("ware 1"))
        },
        Misuse("mixed", .duplicatePrimaryKey, "Ware", "name", taken) {
          $0.depot.extra = [.object(Ware("ware 1"))]
        },
        Misuse("in one graph", .duplicatePrimaryKey, "Ware", "name", "\"n\"") {
          let depot = Depot(2)
          depot.wares.append(objectsIn: [Ware("n"), Ware("n")])
          $0.realm.add(depot)
        },
        Misuse("dynamic", .duplicatePrimaryKey, "Ware", "name", taken) {
          $0.realm.dynamicCreate("Ware", value: ["name": "ware 1"])
        },
      ])
  }

  @Test func storedKeyCannotBeChanged() throws {
    try Misuse.check([
      Misuse("number", .primaryKeyChanged, "Depot", "id", "9") { $0.depot.id = 9 },
      Misuse("text", .primaryKeyChanged, "Ware", "name", "\"x\"") { $0.own.name = "x" },
      Misuse("by a name", .primaryKeyChanged, "Depot", "id", "9") {
        try $0.depot.setValue(9, forKey: "id")
      },
      Misuse("by a subscript", .primaryKeyChanged, "Depot", "id", "9") { $0.depot["id"] = 9 },
      Misuse("in results", .primaryKeyChanged, "Ware", "name", "\"x\"") {
        try $0.realm.objects(Ware.self).setValue("x", forKey: "name")
      },
      Misuse("dynamic", .primaryKeyChanged, "Depot", "id", "9") { try $0.dynamic().id = 9 },
    ])
  }

  @Test func updateWithoutKeyIsRejected() throws {
    try Misuse.check([
      Misuse("add", .noPrimaryKey, "Slip") { $0.realm.add(Depots.Slip(), update: .all) },
      Misuse("create", .noPrimaryKey, "Slip") {
        $0.realm.create(Depots.Slip.self, value: ["text": "x"], update: .modified)
      },
      Misuse("dynamic", .noPrimaryKey, "Slip") {
        $0.realm.dynamicCreate("Slip", update: .all)
      },
      Misuse("look-up", .noPrimaryKey, "Slip") {
        _ = try $0.realm.dynamicObject(ofType: "Slip", forPrimaryKey: 1)
      },
    ])
  }
}

/// A type that no property supports.
private struct Nothing: CustomStringConvertible {
  var description: String { "nothing" }
}
