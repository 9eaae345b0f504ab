import Testing
import Varve
import VarveCore
import VarveTestSupport

/// Random changes of embedded objects compared with plain values: no object is lost or left behind.
@Suite struct EmbeddedHistoryTests {
  struct PlainHome: Equatable {
    var street: String
    var rooms: [String] = []
  }

  struct PlainTenant: Equatable {
    var home: PlainHome?
    var homes: [PlainHome] = []
    var byName: [String: PlainHome?] = [:]

    /// The number of its objects, including itself.
    var objectCount: Int {
      let all = [home].compactMap(\.self) + homes + byName.values.compactMap(\.self)
      return 1 + all.reduce(0) { $0 + 1 + 2 * $1.rooms.count }
    }
  }

  private func plain(_ home: Home) -> PlainHome {
    PlainHome(street: home.street, rooms: home.rooms.map(\.name))
  }

  private func plain(_ tenant: Tenant) -> PlainTenant {
    PlainTenant(
      home: tenant.home.map(plain), homes: tenant.homes.map(plain),
      byName: Dictionary(
        uniqueKeysWithValues: tenant.byName.map { ($0.key, $0.value.map(plain)) }))
  }

  private func home(_ random: inout SeededRandom) -> (Home, PlainHome) {
    let street = "s\(random.below(1_000))"
    let rooms = (0..<random.below(3)).map { "r\($0)" }
    return (.at(street, rooms: rooms), PlainHome(street: street, rooms: rooms))
  }

  private func step(_ random: inout SeededRandom, _ tenant: Tenant, _ model: inout PlainTenant) {
    let (new, plainNew) = home(&random)
    let count = model.homes.count
    let key = "k\(random.below(4))"
    switch random.below(15) {
    case 0: (tenant.home, model.home) = (new, plainNew)
    case 1: (tenant.home, model.home) = (nil, nil)
    case 2:
      tenant.home?.rooms.append(Room(value: ["name": "more", "lamp": ["watts": 1]]))
      model.home?.rooms.append("more")
    case 3, 4:
      let index = random.below(count + 1)
      tenant.homes.insert(new, at: index)
      model.homes.insert(plainNew, at: index)
    case 5 where count > 0:
      let index = random.below(count)
      tenant.homes[index] = new
      model.homes[index] = plainNew
    case 6 where count > 0:
      let index = random.below(count)
      tenant.homes.remove(at: index)
      model.homes.remove(at: index)
    case 7 where count > 1:
      let (from, to) = (random.below(count), random.below(count))
      tenant.homes.move(from: from, to: to)
      model.homes.insert(model.homes.remove(at: from), at: to)
    case 8 where count > 0:
      // Some stay in another order, one is added, the others are removed.
      let kept = (0..<count).filter { _ in random.chance(60) }.reversed()
      tenant.homes.replaceSubrange(0..<count, with: kept.map { tenant.homes[$0] } + [new])
      model.homes = kept.map { model.homes[$0] } + [plainNew]
    case 9: (tenant.byName[key], model.byName[key]) = (.some(new), .some(plainNew))
    case 10: (tenant.byName[key], model.byName[key]) = (nil, nil)
    case 11:
      tenant.byName[key] = .some(nil)
      model.byName[key] = .some(nil)
    case 12:
      if let present = tenant.byName[key] ?? nil {
        tenant.realm?.delete(present)
        model.byName[key] = .some(nil)
      }
    case 13 where count > 0:
      let index = random.below(count)
      tenant.realm?.delete(tenant.homes[index])
      model.homes.remove(at: index)
    default:
      tenant.homes = tenant.homes
      tenant.home = tenant.home
    }
  }

  @Test(arguments: 0..<3)
  func randomStepsMatchPlainValues(_ seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed) + 7_000)
    try withTemporaryRealm { realm, store in
      let tenant = Tenant.named("Ada")
      try realm.write { realm.add([tenant, .named("Bob", .at("kept", rooms: ["one"]))]) }
      var model = PlainTenant()
      for _ in 0..<120 {
        var next = model
        let isKept = random.chance(80)
        do {
          try realm.write {
            for _ in 0..<1 + random.below(4) { step(&random, tenant, &next) }
            #expect(plain(tenant) == next)
            if !isKept { throw Cancelled() }
          }
        } catch is Cancelled {}
        if isKept { model = next }
        #expect(plain(tenant) == model, "seed \(seed)")
        let report = try store.report()
        #expect(report.isSound && report.objectCount == model.objectCount + 4, "\(seed): \(report)")
      }
      try realm.write { realm.delete(tenant) }
      #expect(try store.report().objectCount == 4)
    }
  }
}
