import Foundation
import Varve
import VarveTestSupport

// The classes that `Tests/VarveCoreTests/Fixtures/predicates.txt` queries.

@Model final class Lair: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>
}

@Model final class Hound: Object {
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var weight: Double
  @Persisted var keeper: Breeder?
  @Persisted var toys: List<String>
  @Persisted(originProperty: "hounds") var keepers: LinkingObjects<Breeder>
}

@Model final class Breeder: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var nick: String?
  @Persisted var fullName: String
  @Persisted var age: Int
  @Persisted var height: Double
  @Persisted var ratio: Float
  @Persisted var price: Decimal128
  @Persisted var isMember: Bool
  @Persisted var born: Date?
  @Persisted var key: UUID
  @Persisted var token: ObjectId
  @Persisted var photo: Data
  @Persisted var anything: AnyRealmValue
  @Persisted var best: Breeder?
  @Persisted var spot: Lair?
  @Persisted var hounds: List<Hound>
  @Persisted var scores: List<Int?>
  @Persisted var tags: MutableSet<String>
  @Persisted var byName: Map<String, Hound?>
  @Persisted var rates: Map<String, Double>
  @Persisted var text: String
  @Persisted var limit: Int
  @Persisted(originProperty: "best") var admirers: LinkingObjects<Breeder>

  override class func propertiesMapping() -> [String: String] { ["fullName": "full_name"] }
}

enum BreederFixture {
  /// Adds breeders and hounds with random values, many of which occur in the predicates.
  static func add(_ count: Int, to realm: Realm, _ random: inout SeededRandom) throws {
    try realm.write {
      let breeders = (0..<count).map { id in realm.create(Breeder.self, value: ["id": id]) }
      for breeder in breeders { fill(breeder, breeders, &random) }
    }
  }

  private static func fill(
    _ breeder: Breeder, _ breeders: [Breeder], _ random: inout SeededRandom
  ) {
    breeder.name = random.pick(["", "x", "Ann", "ann", "é", "Annabel"])
    breeder.nick = random.pick([nil, "x", "y"])
    breeder.fullName = random.pick(["", "x"])
    breeder.age = random.int(-5...6)
    breeder.height = random.pick([0, 0.2, 1.5, -1000, .infinity, .nan])
    breeder.ratio = random.pick([0, 0.1])
    breeder.price = random.pick([0, 5, 0.1, 1.5])
    breeder.isMember = random.chance(50)
    breeder.born = random.pick([nil, Date(timeIntervalSince1970: 1_706_702_400)])
    breeder.photo = random.pick([Data(), Data([1, 2, 3])])
    breeder.anything = random.pick([.none, .int(5), .string("x"), .double(2.5)])
    breeder.best = random.chance(70) ? random.pick(breeders) : nil
    for _ in 0..<random.below(4) { breeder.hounds.append(hound(breeders, &random)) }
    for _ in 0..<random.below(4) { breeder.scores.append(random.pick([nil, 1, 5, 9])) }
    for _ in 0..<random.below(3) { breeder.tags.insert(random.pick(["x", "X", "Ann"])) }
    for _ in 0..<random.below(3) {
      breeder.byName[random.pick(["Rex", "a'b"])] = random.pick([nil, breeder.hounds.first])
      breeder.rates[random.pick(["x", "y"])] = random.pick([1.5, 2])
    }
    breeder.text = random.pick(["", "x"])
    breeder.limit = random.below(3)
  }

  private static func hound(_ breeders: [Breeder], _ random: inout SeededRandom) -> Hound {
    let hound = Hound()
    hound.name = random.pick(["Rex", "Ada", "rolf"])
    hound.age = random.below(6)
    hound.weight = random.pick([0, 2.5])
    hound.keeper = random.chance(70) ? random.pick(breeders) : nil
    for _ in 0..<random.below(3) { hound.toys.append(random.pick(["ball", "bone"])) }
    return hound
  }
}
