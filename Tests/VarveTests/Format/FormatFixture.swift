import Foundation
import Varve

/// The first version of the class; one row keeps its layout.
enum EarlyFormat {
  @Model final class Item: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var flag = false
  }
}

/// The classes of the committed store of format 1. Neither the classes nor the file change.
enum Format {
  @Model final class Item: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var flag = false
    @Persisted var int8: Int8
    @Persisted var int16: Int16
    @Persisted var int32: Int32
    @Persisted var int64: Int64
    @Persisted var float: Float
    @Persisted(indexed: true) var double: Double?
    @Persisted var text: String?
    @Persisted var data: Data
    @Persisted(indexed: true) var date: Date?
    @Persisted var uuid: UUID?
    @Persisted(indexed: true) var objectId: ObjectId?
    @Persisted var kind = "new"
    @Persisted var owner: Owner?
    @Persisted var numbers: List<Int>
    @Persisted var small: List<Int8?>
    @Persisted var texts: List<String?>
    @Persisted var owners: List<Owner>
    @Persisted var labels: Map<String, String>
    @Persisted var counts: Map<String, Int?>
    @Persisted var byRole: Map<String, Owner?>
  }

  @Model final class Owner: Object {
    @Persisted(primaryKey: true) var name: String?
    @Persisted(originProperty: "owner") var items: LinkingObjects<Item>
  }
}

enum FormatFixture {
  /// The store that was committed with format 1.
  static let committed = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/format-1.varve")

  static let longName = String(repeating: "n", count: 600)
  static let longKey = String(repeating: "l", count: 500)
  static let longText = String(repeating: "b", count: 600)
  static let data = Data((0..<600).map { UInt8(truncatingIfNeeded: $0) })
  static let uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

  /// Writes the objects of the committed store into a new store, and two collections in the row of
  /// Item 2.
  static func write(_ configuration: Realm.Configuration) throws {
    var configuration = configuration
    let early = try Realm(configuration: configuration)
    try early.write { early.create(EarlyFormat.Item.self, value: ["id": -1, "name": "early"]) }
    try Realm.close(configuration)
    configuration.objectTypes = [Format.Item.self, Format.Owner.self]
    let realm = try Realm(configuration: configuration)
    let full = Format.Item()
    let long = Format.Item(value: ["id": 2, "name": longName, "double": Double.nan])
    let gone = Format.Owner(value: ["name": "Gone"])
    try realm.write {
      fill(full)
      long.texts.append(objectsIn: [nil, "é", ""])
      long.labels["k"] = "v"
      long.labels[""] = ""
      realm.add([full, long])
      realm.create(Format.Owner.self)
      full.byRole["gone"] = .some(gone)
    }
    try realm.write { realm.delete(gone) }
    // Set to its own value, which the row records.
    try realm.write { long.flag = false }
    try Realm.close(configuration)
  }

  private static func fill(_ item: Format.Item) {
    let ann = Format.Owner(value: ["name": "Ann"])
    item.id = 1
    item.name = "full"
    item.flag = true
    (item.int8, item.int16, item.int32, item.int64) = (-1, -2, -3, .min)
    item.float = 1.5
    item.double = -0.0
    item.text = "é\u{0}"
    item.data = data
    item.date = Date(timeIntervalSinceReferenceDate: 0.5)
    item.uuid = uuid
    item.objectId = ObjectId("0102030405060708090a0b0c")
    item.owner = ann
    item.numbers.append(objectsIn: 0..<600)
    item.small.append(objectsIn: [nil, -1, 5])
    item.texts.append(objectsIn: [nil, "a", longText])
    item.owners.append(objectsIn: [ann, ann])
    item.labels.set([("", "e"), ("k", "v"), (longKey, "w")])
    item.counts["a"] = .some(nil)
    item.counts["b"] = -2
    item.byRole["boss"] = .some(ann)
  }
}
