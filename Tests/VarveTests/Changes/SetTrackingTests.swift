import Testing
import Varve
import VarveCore
import VarveTestSupport

/// Random writes, and answers of queries on a set that are maintained from version to version.
@Suite struct SetTrackingTests {
  private struct Tracked {
    let name: String
    let query: ElementQuery
    var tracker: CollectionTracker
    var rows: [String] = []

    /// Applies changes.
    ///
    /// - Parameter now: The answer after the changes.
    mutating func apply(_ changes: IndexChanges, _ now: [String]) {
      for index in changes.modifications { rows[index] = "modified" }
      for index in Array(changes.deletions).reversed() { rows.remove(at: index) }
      for index in changes.insertions { rows.insert(now[index], at: index) }
      for index in changes.newModifications {
        // A modification applies to an element that remained.
        rows[index] = rows[index] == "modified" ? now[index] : "wrong"
      }
    }
  }

  private func queries(_ bag: Bag, _ realm: Realm) -> [(String, ElementQuery)] {
    var all = realm.objects(Coin.self).handle.query
    all.source = .collection(CollectionIdentity(bag.coins.handle))
    var worthy = all
    worthy.condition = realm.objects(Coin.self).where { $0.worth >= 5 }.handle.query.condition
    var minted = all
    minted.condition =
      realm.objects(Coin.self).where { $0.mint.town == "t1" }.handle.query.condition
    let unsorted = [("all", all), ("filtered", worthy), ("over a link", minted)]
    return unsorted
      + unsorted.map { name, query in
        var sorted = query
        sorted.sortKeys = [.init(path: ["worth"], isAscending: false)]
        return ("\(name), sorted", sorted)
      }
  }

  private func step(_ bag: Bag, _ realm: Realm, _ random: inout SeededRandom) {
    let (coins, mints) = (realm.objects(Coin.self), realm.objects(Mint.self))
    let coin = coins[random.below(coins.count)]
    switch random.below(12) {
    case 0:
      bag.coins.insert(
        realm.create(Coin.self, value: ["id": random.int(-200...200)], update: .modified))
    case 1, 2: bag.coins.insert(coin)
    case 3, 4: if !bag.coins.isEmpty { bag.coins.remove(bag.coins[random.below(bag.coins.count)]) }
    case 5, 6: coin.worth = random.below(10)
    case 7: coin.mint = random.chance(30) ? nil : mints[random.below(mints.count)]
    case 8: mints[random.below(mints.count)].town = "t\(random.below(3))"
    case 9: if coins.count > 5 { realm.delete(coin) }
    case 10: bag.coins.formSymmetricDifference([coin, coins[random.below(coins.count)]])
    default: if random.chance(5) { bag.coins.formIntersection(coins.where { $0.worth > 2 }) }
    }
  }

  private func rows(_ query: ElementQuery, _ realm: Realm) throws -> [String] {
    let context = realm.context
    return try query.objectIDs(
      in: ReadScope(context.snapshot, of: context.store)
    ).map { id in
      let key = Int(Int64(bitPattern: id ^ 1 << 63))
      let coin = realm.object(ofType: Coin.self, forPrimaryKey: key)
      return "\(key) \(coin?.worth ?? -1) \(coin?.mint?.town ?? "-")"
    }
  }

  @Test func answersMatchQueriesAfterRandomWrites() throws {
    var random = SeededRandom()
    let comment = "\(random)"
    try withTemporaryRealm { realm, store in
      let bag = Bag(1, coins: (0..<150).map { Coin($0 * 2, worth: $0 % 10) })
      try realm.write {
        for number in 0..<4 { realm.create(Mint.self, value: ["town": "t\(number)"]) }
        realm.add(bag)
      }
      var old = realm.freeze()
      var tracked: [Tracked] = []
      for (name, query) in queries(bag, realm) {
        let handle = ResultsHandle(context: realm.context, query: query)
        tracked.append(
          Tracked(name: name, query: query, tracker: CollectionTracker(handle, watching: .usual)))
      }
      let set = CollectionTracker(bag.coins.handle, realm.context.store, .usual)
      tracked.append(Tracked(name: "set", query: tracked[0].query, tracker: set))
      for index in tracked.indices {
        _ = try tracked[index].tracker.start(at: old.context.snapshot)
        tracked[index].rows = try rows(tracked[index].query, old)
      }
      for number in 0..<80 {
        try realm.write { for _ in 0...random.below(4) { step(bag, realm, &random) } }
        let new = realm.freeze()
        let difference = VersionDifference(
          from: old.context.snapshot, to: new.context.snapshot, schema: new.context.store.schema)
        for index in tracked.indices {
          let now = try rows(tracked[index].query, new)
          switch try tracked[index].tracker.advance(difference) {
          case .none: break
          case .change(let changes): tracked[index].apply(changes, now)
          case .end: Issue.record("\(tracked[index].name) ended.")
          }
          #expect(
            tracked[index].rows == now, "\(tracked[index].name), write \(number), \(comment)")
          if let answer = tracked[index].tracker.answer { #expect(answer.count == now.count) }
        }
        old = new
      }
      try store.check()
    }
  }

  @Test func smallChangeOfLargeSetIsFollowed() throws {
    try withTemporaryRealm { realm, _ in
      let bag = Bag(1, coins: (0..<2_000).map { Coin($0, worth: $0 % 10) })
      try realm.write { realm.add(bag) }
      let old = realm.freeze()
      var trackers = try queries(bag, realm).map { _, query in
        var tracker = CollectionTracker(
          ResultsHandle(context: realm.context, query: query), watching: .usual)
        _ = try tracker.start(at: old.context.snapshot)
        return tracker
      }
      try realm.write {
        bag.coins.remove(bag.coins[1_000])
        bag.coins.insert(Coin(-5, worth: 9))
      }
      let new = realm.freeze()
      let difference = VersionDifference(
        from: old.context.snapshot, to: new.context.snapshot, schema: new.context.store.schema)
      for index in trackers.indices {
        _ = try trackers[index].advance(difference)
        #expect(trackers[index].answer?.isKeptUp == true, "query \(index)")
      }
    }
  }
}
