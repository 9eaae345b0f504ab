import Foundation
import Testing
import Varve
import VarveJSONLines

/// Classes with every kind of property, for operations that a write must reject.
enum Depots {
  enum Kind: String, PersistableEnum { case tiny, large }

  @Model class Ware: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var count = 0
  }

  @Model final class RareWare: Ware {
    @Persisted var rarity = 0
  }

  @Model final class Tag: EmbeddedObject {
    @Persisted var text: String
    @Persisted(originProperty: "tags") var depots: LinkingObjects<Depot>
  }

  /// A class without a primary key.
  @Model final class Slip: Object {
    @Persisted var text: String
  }

  /// A class that links to a depot.
  @Model final class Bundle: Object {
    @Persisted var depot: Depot?
  }

  @Model final class Depot: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title: String
    @Persisted var small: Int8
    @Persisted var maybe: Int?
    @Persisted var kind: Kind
    @Persisted var best: Ware?
    @Persisted var wares: List<Ware>
    @Persisted var places: Map<String, Ware?>
    @Persisted var group: MutableSet<Ware>
    @Persisted var numbers: List<Int>
    @Persisted var notes: Map<String, String>
    @Persisted var marks: MutableSet<Int>
    @Persisted var extra: AnyRealmValue
    @Persisted var extras: List<AnyRealmValue>
    @Persisted var fields: Map<String, AnyRealmValue>
    @Persisted var kinds: MutableSet<AnyRealmValue>
    @Persisted var tag: Tag?
    @Persisted var tags: List<Tag>
    @Persisted var tagged: Map<String, Tag?>

    convenience init(_ id: Int) {
      self.init()
      self.id = id
    }
  }
}

extension Depots.Ware {
  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

/// A store with one object in each kind of property, an object of another store, and a deleted
/// object.
final class MisuseScene {
  let store: TemporaryRealm
  let realm: Realm
  /// The depot with one element in each collection.
  let depot: Depots.Depot
  /// The ware in every collection of the depot.
  let own: Depots.Ware
  /// An object of another store.
  let stranger: Depots.Ware
  let strangeDepot: Depots.Depot
  /// A deleted object.
  let gone: Depots.Ware
  let goneDepot: Depots.Depot
  private let other: TemporaryRealm
  private var tagsWithoutPlace: [DynamicObject] = []

  init() throws {
    store = try TemporaryRealm()
    other = try TemporaryRealm()
    realm = try store.open()
    depot = MisuseScene.depot(1)
    own = depot.wares[0]
    strangeDepot = MisuseScene.depot(5)
    stranger = strangeDepot.wares[0]
    goneDepot = MisuseScene.depot(7)
    gone = goneDepot.wares[0]
    try realm.register(Depots.RareWare.self, Depots.Slip.self, Depots.Bundle.self)
    try realm.write { realm.add([depot, goneDepot]) }
    try realm.write { realm.delete([gone] as [Object] + [goneDepot]) }
    expectError(.typeMismatch) {
      try realm.write {
        let tags = Array(repeating: ["text": "x"], count: 9)
        let depot = realm.dynamicCreate("Depot", value: ["tags": tags, "title": 1])
        tagsWithoutPlace = Array(try depot.dynamicList("tags"))
      }
    }
    let foreign = try other.open()
    try foreign.write { foreign.add(strangeDepot) }
  }

  private static func depot(_ id: Int) -> Depots.Depot {
    let depot = Depots.Depot(id)
    let ware = Depots.Ware("ware \(id)")
    depot.best = ware
    depot.wares.append(ware)
    depot.places["a"] = ware
    depot.group.insert(ware)
    depot.numbers.append(objectsIn: [1, 2, 3])
    depot.notes["k"] = "v"
    depot.marks.insert(1)
    depot.extra = [1, ["x": 2]]
    depot.extras.append(.string("e"))
    depot.fields["f"] = .int(1)
    depot.kinds.insert(.int(1))
    depot.tag = Depots.Tag(value: ["text": "one"])
    depot.tags.append(objectsIn: ["a", "b"].map { Depots.Tag(value: ["text": $0]) })
    depot.tagged["t"] = Depots.Tag(value: ["text": "t"])
    return depot
  }

  /// The depot as an object of a class that the program does not declare.
  func dynamic() throws -> DynamicObject {
    let depot = try realm.dynamicObject(ofType: "Depot", forPrimaryKey: 1)
    return try #require(depot)
  }

  /// An unmanaged embedded object of a class that the program does not declare.
  ///
  /// An object whose creation has failed is unmanaged, and so are its embedded objects.
  func unmanagedTag() throws -> DynamicObject {
    let tag = tagsWithoutPlace.popLast()
    return try #require(tag)
  }

  /// The content of both stores.
  func content() throws -> String { try content(of: store) + content(of: other) }

  private func content(of store: TemporaryRealm) throws -> String {
    let url = store.directory.appending(path: "content.jsonl")
    try store.open().exportJSONLines(to: url)
    return try String(contentsOf: url, encoding: .utf8)
  }

  func end() {
    store.end()
    other.end()
  }
}
