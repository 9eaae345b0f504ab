import Foundation
import Varve

// A class for each kind of content, for the damaged stores.

@Model(indexes: [["city", "size"]]) final class Depot: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted var city: String?
  @Persisted var size = 0.0
  @Persisted(indexed: true) var since: Date?
  @Persisted(fullText: true) var text: String?
  @Persisted var raw: Data
  @Persisted var any: AnyRealmValue
  @Persisted var numbers: List<Int>
  @Persisted var words: List<String>
  @Persisted var anything: List<AnyRealmValue>
  @Persisted var parts: List<DepotPart>
  @Persisted var notes: Map<String, String>
  @Persisted var byName: Map<String, DepotPart?>
  @Persisted var tags: MutableSet<String>
  @Persisted var codes: MutableSet<Int>
  @Persisted var liked: MutableSet<DepotPart>
  @Persisted var place: DepotPlace?
  @Persisted var places: List<DepotPlace>
}

@Model final class DepotPart: Object {
  @Persisted(primaryKey: true) var key: String
  @Persisted var weight: Int
  @Persisted var home: Depot?
  @Persisted(originProperty: "parts") var depots: LinkingObjects<Depot>
}

@Model final class DepotPlace: EmbeddedObject {
  @Persisted var street: String
  @Persisted(indexed: true) var code: Int
}

/// Small rows without a primary key.
@Model final class DepotEvent: Object {
  @Persisted var number: Int
  @Persisted var price: Decimal128
  @Persisted var mark: UUID
}

final class DepotView: Projection<Depot>, @unchecked Sendable {
  @Projected(\Depot.name) var name
  @Projected(\Depot.parts.projectTo.key) var partKeys: ProjectedCollection<String>
}

/// Makes the store to damage: a few pages of each table, values on overflow pages, and a free list.
enum DamageStore {
  static let depotCount = 40
  static let partCount = 250
  static let eventCount = 700

  static func configuration(_ path: String) -> Realm.Configuration {
    Realm.Configuration(fileURL: URL(filePath: path), durability: .none, mapReservation: 1 << 28)
  }

  static func make(_ path: String) throws {
    let configuration = configuration(path)
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for number in 0..<partCount {
        realm.create(DepotPart.self, value: ["key": key(number), "weight": number % 17])
      }
      for number in 0..<eventCount {
        realm.create(
          DepotEvent.self, value: ["number": number, "price": Decimal128(number)] as [String: Any])
      }
    }
    try realm.write { for id in 0..<depotCount { realm.add(depot(id, realm)) } }
    // Pages that later transactions reuse, from several transactions.
    for round in 0..<6 {
      try realm.write {
        for id in stride(from: round, to: depotCount, by: 7) { change(realm, id, round) }
      }
    }
    try realm.write { realm.delete(realm.objects(DepotEvent.self).where { $0.number > 600 }) }
    try Realm.close(configuration)
  }

  static func key(_ number: Int) -> String { "part \(10_000 + number * 7)" }

  private static func depot(_ id: Int, _ realm: Realm) -> Depot {
    let depot = Depot()
    depot.id = id * 3
    depot.name = "depot \(id % 20)"
    depot.city = id % 5 == 0 ? nil : "city \(id % 7)"
    depot.size = Double(id) / 3
    depot.since = id % 4 == 0 ? nil : Date(timeIntervalSince1970: Double(id) * 1e6)
    depot.text = "the quick \(id) brown fox of house \(id % 9) jumps over a lazy dog"
    depot.raw = Data(repeating: UInt8(id), count: [0, 20, 700, 5000, 20_000][id % 5])
    depot.any =
      id % 3 == 0
      ? .int(id)
      : id % 3 == 1 ? AnyRealmValue.fromArray([.string("a \(id)"), .int(id)]) : .string("x")
    depot.numbers.append(objectsIn: 0..<(id % 9 == 0 ? 2500 : id))
    depot.words.append(objectsIn: (0..<(id % 8)).map { "word \($0) of \(id)" })
    depot.anything.append(objectsIn: [.int(id), .string("text"), .none, .double(0.5)])
    for number in 0..<(id % 30) {
      depot.notes["note \(number)"] = "of \(id)"
      depot.tags.insert("tag \(number)")
      depot.codes.insert(number * id)
    }
    for number in stride(from: id % 11, to: partCount, by: 23) {
      guard let part = realm.object(ofType: DepotPart.self, forPrimaryKey: key(number)) else {
        continue
      }
      depot.parts.append(part)
      depot.liked.insert(part)
      depot.byName["part \(number)"] = .some(part)
    }
    depot.place = DepotPlace(value: ["street": "street \(id)", "code": id])
    depot.places.append(
      objectsIn: (0..<3).map { DepotPlace(value: ["street": "s\($0)", "code": $0]) })
    return depot
  }

  /// Changes some of everything.
  static func change(_ realm: Realm, _ id: Int, _ round: Int) {
    guard let depot = realm.object(ofType: Depot.self, forPrimaryKey: id * 3) else { return }
    depot.name = "changed \(round)"
    depot.raw = Data(repeating: 1, count: [10, 3000, 30_000][round % 3])
    depot.text = "other words of round \(round)"
    depot.numbers.append(round)
    if !depot.numbers.isEmpty { depot.numbers.remove(at: depot.numbers.count / 2) }
    depot.words.insert("new \(round)", at: 0)
    depot.notes["new \(round)"] = "value"
    depot.tags.insert("new \(round)")
    depot.codes.remove(id)
    if depot.parts.count > 2 { depot.parts.removeLast() }
    depot.places.removeAll()
    depot.any = .string("changed")
    realm.object(ofType: DepotPart.self, forPrimaryKey: key(id))?.home = depot
  }
}
