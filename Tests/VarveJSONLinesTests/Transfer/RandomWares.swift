import Foundation
import Varve
import VarveTestSupport

/// Fills a store at random with everything that an export must transfer.
struct RandomWares {
  var random: SeededRandom
  let realm: Realm
  private var places: [Place] = []
  private var makers: [Maker] = []
  private var wares: [Ware] = []

  init(_ random: SeededRandom, _ realm: Realm) {
    self.random = random
    self.realm = realm
  }

  mutating func fill(_ count: Int) throws {
    for _ in 0..<3 { try realm.write { addObjects(count / 3) } }
    try realm.write { for ware in wares { fill(ware) } }
    // Ids with gaps, and links that deletions have set to nil.
    try realm.write {
      for place in places where random.oneIn(7) { realm.delete(place) }
      for ware in wares where random.oneIn(9) { realm.delete(ware) }
    }
  }

  private mutating func addObjects(_ count: Int) {
    for _ in 0..<count {
      let place = realm.create(Place.self, value: ["name": text()])
      place.neighbour = random.element(places)
      places.append(place)
      let maker = realm.create(Maker.self, value: ["name": text() + "\(makers.count)"])
      maker.home = random.element(places)
      for _ in 0..<random.below(3) {
        if let friend = random.element(makers) { maker.friends.append(friend) }
      }
      makers.append(maker)
      let number = Int(bitPattern: UInt(truncatingIfNeeded: random.next())) >> random.below(60)
      if realm.object(ofType: Ware.self, forPrimaryKey: number) == nil {
        wares.append(realm.create(Ware.self, value: ["number": number]))
      }
      if random.oneIn(4) { realm.create(Label.self, value: ["id": UUID(), "text": text()]) }
    }
    if realm.object(ofType: Label.self, forPrimaryKey: UUID?.none) == nil {
      realm.create(Label.self)
    }
  }

  private mutating func fill(_ ware: Ware) {
    ware.isNew = random.chance(50)
    ware.small = Int8(truncatingIfNeeded: random.next())
    ware.medium = random.oneIn(3) ? nil : Int16(truncatingIfNeeded: random.next())
    ware.large = Int32(truncatingIfNeeded: random.next())
    ware.huge = Int(truncatingIfNeeded: random.next())
    ware.weight = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
    ware.price = random.oneIn(3) ? nil : Double(bitPattern: random.next())
    ware.title = random.oneIn(20) ? String(repeating: text(), count: 200) : text()
    ware.picture =
      random.oneIn(3) ? nil : Data(random.bytes(random.oneIn(20) ? 3000 : random.below(9)))
    ware.made = date()
    ware.tag = random.oneIn(3) ? nil : UUID()
    ware.mark = ObjectId.generate()
    ware.cost = Decimal128(random.int(-1_000_000...1_000_000)) / 100
    ware.anything = mixed()
    ware.maker = random.element(makers)
    ware.next = random.element(wares)
    ware.box = random.oneIn(2) ? nil : crate()
    for _ in 0..<random.below(4) { ware.boxes.append(crate()) }
    for _ in 0..<random.below(3) {
      ware.boxesByName[key()] = random.oneIn(4) ? .some(nil) : crate()
    }
    for _ in 0..<(random.oneIn(15) ? 2000 : random.below(4)) {
      ware.numbers.append(random.int(-9...9))
    }
    for _ in 0..<random.below(4) { ware.texts.append(random.oneIn(3) ? nil : text()) }
    for _ in 0..<random.below(4) { ware.dates.insert(date()) }
    for _ in 0..<random.below(4) {
      ware.names.insert(random.oneIn(9) ? String(repeating: text(), count: 300) : text())
    }
    for _ in 0..<random.below(4) {
      ware.amounts[key()] = random.oneIn(3) ? .some(nil) : Double(random.int(0...9))
    }
    for _ in 0..<random.below(4) { ware.mixture.append(mixed()) }
    for _ in 0..<random.below(4) {
      if let maker = random.element(makers) { ware.makers.append(maker) }
    }
    for _ in 0..<random.below(4) {
      if let place = random.element(places) { ware.places.insert(place) }
    }
    for _ in 0..<random.below(4) { ware.wares[key()] = random.element(wares) }
    if let place = random.element(places) { place.known[key()] = mixed() }
  }

  private mutating func crate() -> Crate {
    let crate = Crate()
    crate.size = random.below(100)
    crate.from = random.element(places)
    if random.oneIn(2) {
      let lid = Lid()
      lid.colors.append(objectsIn: (0..<random.below(3)).map { "\($0)" })
      lid.painter = random.element(makers)
      crate.lid = lid
    }
    return crate
  }

  private mutating func text() -> String {
    let parts = [
      "a", "Ω", "\"", "\\", "\n", "\u{0}", "😀", "e\u{301}", "é", "/", "\u{7F}", "\u{2028}",
    ]
    return (0..<random.below(8)).map { _ in random.pick(parts) }.joined()
  }

  private mutating func key() -> String {
    random.pick(["", "a", "b c", "é", "e\u{301}", "\"", String(repeating: "k", count: 600)])
  }

  private mutating func date() -> Date {
    switch random.below(3) {
    case 0: Date(timeIntervalSinceReferenceDate: Double(random.int(-9_000_000_000...9_000_000_000)))
    case 1: Date(timeIntervalSinceReferenceDate: .random(in: -1e9...1e9, using: &random))
    default: Date(timeIntervalSinceReferenceDate: Double(bitPattern: random.next()))
    }
  }

  private mutating func mixed(_ depth: Int = 0) -> AnyRealmValue {
    switch random.below(depth < 4 ? 15 : 13) {
    case 0: .int(Int(truncatingIfNeeded: random.next()))
    case 1: .bool(random.chance(50))
    case 2: .float(Float(random.below(9)) / 3)
    case 3: .double(Double(bitPattern: random.next()))
    case 4: .string(text())
    case 5: .data(Data(random.bytes(random.below(5))))
    case 6: .date(date())
    case 7: .objectId(.generate())
    case 8: .uuid(UUID())
    case 9: .decimal128(Decimal128(random.int(-99...99)))
    case 10: random.element(places).map(AnyRealmValue.object) ?? .none
    case 11: random.element(wares).map(AnyRealmValue.object) ?? .none
    case 13: .fromArray((0..<random.below(4)).map { _ in mixed(depth + 1) })
    case 14:
      .fromDictionary(
        Dictionary(
          (0..<random.below(4)).map { _ in (key(), mixed(depth + 1)) }, uniquingKeysWith: { $1 }))
    default: .none
    }
  }
}
