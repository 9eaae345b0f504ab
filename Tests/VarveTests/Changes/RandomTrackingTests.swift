import Testing
import Varve
import VarveCore
import VarveStorage
import VarveTestSupport

/// Random writes, and answers that are maintained from version to version.
@Suite struct RandomTrackingTests {
  /// An observed query with the rows known to its observer.
  fileprivate struct Tracked {
    let name: String
    let query: ElementQuery
    let watched: WatchedPathNames
    var tracker: CollectionTracker
    var rows: [String] = []
  }

  /// A version with the known rows of its objects.
  private final class Version {
    let realm: Realm
    private var rows: [UInt64: (all: String, few: String)] = [:]

    init(_ realm: Realm) { self.realm = realm.freeze() }

    /// The watched content of an object.
    func row(_ id: UInt64, _ watched: WatchedPathNames) -> String {
      let row = rows[id] ?? makeRow(id)
      rows[id] = row
      if case .paths = watched { return row.few }
      return row.all
    }

    private func makeRow(_ id: UInt64) -> (all: String, few: String) {
      let key = Int(Int64(bitPattern: id ^ 1 << 63))
      guard let ewe = realm.object(ofType: Ewe.self, forPrimaryKey: key) else {
        return ("\(key) gone", "\(key) gone")
      }
      let few = "\(key) \(ewe.age) \(ewe.farm?.area ?? -1)"
      let links = "\(ewe.mother?.id ?? -1) \(ewe.mother?.age ?? 0) \(ewe.lambs.map(\.id))"
      return ("\(few) \(ewe.name) \(ewe.farm?.name ?? "-") \(links) \(ewe.lambs.map(\.age))", few)
    }
  }

  /// The ewe and the farm whose collections are observed.
  private static let observed = 0

  private func queries(_ realm: Realm) throws -> [(String, ElementQuery)] {
    let ewe = try #require(realm.object(ofType: Ewe.self, forPrimaryKey: Self.observed))
    let farm = try #require(realm.object(ofType: Farm.self, forPrimaryKey: "f0"))
    let all = realm.objects(Ewe.self).handle.query
    var sources = [("class", all)]
    for (name, source) in [
      ("list", ElementQuery.Source.collection(CollectionIdentity(ewe.lambs.handle))),
      ("map", .collection(CollectionIdentity(ewe.friends.handle))),
      ("linking over lists", ewe.parents.where { $0.age > 0 }.handle.query.source),
      ("linking", farm.ewes.where { $0.age > 0 }.handle.query.source),
    ] {
      var query = all
      query.source = source
      sources.append((name, query))
    }
    let conditions = [
      ("", all.condition),
      (" filtered", realm.objects(Ewe.self).where { $0.age >= 5 }.handle.query.condition),
      (" over a link", realm.objects(Ewe.self).where { $0.farm.area > 2 }.handle.query.condition),
    ]
    let orders: [(String, [ElementQuery.SortKey])] = [
      ("", []), (" by age", [.init(path: ["age"], isAscending: true)]),
      (
        " over a link",
        [
          .init(path: ["farm", "area"], isAscending: false),
          .init(path: ["name"], isAscending: true),
        ]
      ),
    ]
    return sources.flatMap { source in
      conditions.flatMap { condition in
        orders.map { order in
          var query = source.1
          query.condition = condition.1
          query.sortKeys = order.1
          return ("\(source.0)\(condition.0), sorted\(order.0)", query)
        }
      }
    }
  }

  private func fill(_ realm: Realm, _ random: inout SeededRandom) {
    for number in 0..<8 { realm.add(Farm("f\(number)")) }
    for id in 0..<120 { realm.add(Ewe(id, name: "n\(id % 7)", age: random.int(0...9))) }
    for _ in 0..<150 { step(realm, &random) }
  }

  private func step(_ realm: Realm, _ random: inout SeededRandom) {
    let ewes = realm.objects(Ewe.self)
    let farms = realm.objects(Farm.self)
    guard let first = ewes.first(where: { $0.id == Self.observed }) else { return }
    let ewe = ewes[random.int(0...ewes.count - 1)]
    let lambs = first.lambs
    func randomIndex() -> Int { random.int(0...lambs.count - 1) }
    switch random.int(0...20) {
    case 0: realm.create(Ewe.self, value: ["id": random.int(1...200)], update: .modified)
    case 1: if ewe.id != Self.observed { realm.delete(ewe) }
    case 2, 3: ewe.age = random.int(0...9)
    case 4: ewe.name = "n\(random.int(0...5))"
    case 5, 6: ewe.farm = random.int(0...4) == 0 ? nil : farms[random.int(0...farms.count - 1)]
    case 7: farms[random.int(0...farms.count - 1)].area = random.int(0...5)
    case 8: ewe.lambs.append(first)
    case 9: if !ewe.lambs.isEmpty { ewe.lambs.removeLast() }
    case 10, 11: lambs.append(ewe)
    case 12: lambs.insert(ewe, at: random.int(0...lambs.count))
    case 13, 14: if !lambs.isEmpty { lambs.remove(at: randomIndex()) }
    case 15: if !lambs.isEmpty { lambs[randomIndex()] = ewe }
    case 16: if !lambs.isEmpty { lambs.move(from: randomIndex(), to: randomIndex()) }
    case 17: first.friends["k\(random.int(0...30))"] = ewe
    case 19:
      if ewe.id == Self.observed { return }
      let id = ewe.id
      realm.delete(ewe)
      realm.create(Ewe.self, value: ["id": id, "age": random.int(0...9)]).lambs.append(first)
    case 18: first.friends["k\(random.int(0...30))"] = nil
    default: if !lambs.isEmpty { lambs[randomIndex()].age = random.int(0...9) }
    }
  }

  /// Occasionally makes a change that affects most of the objects.
  private func largeStep(_ realm: Realm, _ random: inout SeededRandom) {
    guard let first = realm.object(ofType: Ewe.self, forPrimaryKey: Self.observed) else { return }
    switch random.int(0...4) {
    case 0: first.lambs.removeAll()
    case 1: first.lambs.append(objectsIn: realm.objects(Ewe.self))
    case 2:
      let farm = realm.objects(Farm.self).first
      for ewe in realm.objects(Ewe.self) { ewe.farm = farm }
    case 3: for ewe in realm.objects(Ewe.self) { ewe.age = random.int(0...9) }
    default: for _ in 0..<20 { first.lambs.insert(first, at: first.lambs.count / 2) }
    }
  }

  @Test(arguments: 0..<2) func answersMatchQueriesAfterRandomWrites(run: Int) throws {
    var random = SeededRandom()
    for _ in 0..<run { _ = random.next() }
    try withTemporaryRealm { realm, store in
      try realm.write { fill(realm, &random) }
      var now = Version(realm)
      var tracked: [Tracked] = []
      for (name, query) in try queries(realm) {
        for watched in [WatchedPathNames.usual, .paths([["age"], ["farm", "area"]])] {
          let handle = ResultsHandle(context: realm.context, query: query)
          var trackers = [CollectionTracker(handle, watching: watched)]
          if name == "list, sorted", case .collection(let list) = query.source {
            trackers.append(CollectionTracker(list, realm.context.store, watched))
          }
          for tracker in trackers {
            var item = Tracked(name: name, query: query, watched: watched, tracker: tracker)
            _ = try item.tracker.start(at: now.realm.context.snapshot)
            item.rows = try rows(item, now)
            tracked.append(item)
          }
        }
      }
      // Some observers stay at a version for a while and then advance from there.
      var late: (version: Version, tracked: [Tracked])?
      for number in 0..<40 {
        var isSmall = run == 0
        try realm.write {
          let steps = random.int(0...4)
          if run > 0, random.int(0...9) == 0 { largeStep(realm, &random) }
          for _ in 0...steps { step(realm, &random) }
          isSmall = isSmall && steps == 0
        }
        let old = now
        now = Version(realm)
        if number % 7 == 0 {
          if var (version, tracked) = late {
            try advance(&tracked, version, now, false, "late at write \(number), \(random)")
            version = now
          }
          late = (old, tracked)
        }
        try advance(&tracked, old, now, isSmall, "write \(number), \(random)")
      }
      try store.check()
    }
  }

  private func rows(_ item: Tracked, _ version: Version) throws -> [String] {
    let context = version.realm.context
    return try item.query.objectIDs(
      in: ReadScope(context.snapshot, of: context.store)
    ).map { version.row($0, item.watched) }
  }

  private func advance(
    _ tracked: inout [Tracked], _ old: Version, _ new: Version, _ isSmall: Bool,
    _ comment: String
  ) throws {
    let difference = VersionDifference(
      from: old.realm.context.snapshot, to: new.realm.context.snapshot,
      schema: new.realm.context.store.schema)
    for index in tracked.indices {
      let name = tracked[index].name
      let now = try rows(tracked[index], new)
      switch try tracked[index].tracker.advance(difference) {
      case .none: break
      case .change(let changes):
        #expect(!changes.isEmpty)
        tracked[index].apply(changes, now)
      case .end: Issue.record("\(name) ended, \(comment)")
      }
      #expect(tracked[index].rows == now, "\(name), \(comment)")
      // A list reads its version itself.
      guard let answer = tracked[index].tracker.answer else { continue }
      let ids = answer.ids
      #expect(answer.isKeptUp || !isSmall, "\(name) was run again, \(comment)")
      #expect(ids.map { new.row($0, tracked[index].watched) } == now, "\(name), \(comment)")
      #expect(answer.count == now.count)
      for index in [0, now.count / 2, now.count - 1] where !now.isEmpty {
        #expect(answer.id(at: index) == ids[index])
      }
      #expect(answer.id(at: now.count) == nil && answer.id(at: -1) == nil)
    }
  }
}

extension RandomTrackingTests.Tracked {
  /// Applies changes.
  ///
  /// - Parameter now: The answer after the changes.
  fileprivate mutating func apply(_ changes: IndexChanges, _ now: [String]) {
    for index in changes.modifications { rows[index] = "modified" }
    for index in Array(changes.deletions).reversed() { rows.remove(at: index) }
    for index in changes.insertions { rows.insert(now[index], at: index) }
    for index in changes.newModifications {
      // A modification applies to an element that remained.
      rows[index] = rows[index] == "modified" ? now[index] : "wrong"
    }
  }
}
