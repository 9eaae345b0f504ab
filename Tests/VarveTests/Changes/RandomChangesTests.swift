import Testing
import Varve
import VarveCore
import VarveTestSupport

/// Random writes, and collections maintained by change sets alone.
@Suite struct RandomChangesTests {
  /// A collection as seen by an observer: ids in order, each with its last seen content.
  private struct Mirror {
    var rows: [String]

    /// Applies changes.
    ///
    /// - Parameter now: The collection after the changes.
    mutating func apply(_ changes: CollectionChanges, _ now: [String]) {
      for index in changes.modifications { rows[index] = "modified" }
      for index in changes.deletions.reversed() { rows.remove(at: index) }
      for index in changes.insertions { rows.insert(now[index], at: index) }
      for index in changes.newModifications {
        // A modification applies to an element that remained.
        rows[index] = rows[index] == "modified" ? now[index] : "wrong"
      }
    }
  }

  private static func row(_ ewe: Ewe) -> String {
    "\(ewe.id) \(ewe.name) \(ewe.age) \(ewe.farm?.name ?? "-") \(ewe.farm?.area ?? 0) "
      + "\(ewe.mother?.id ?? -1) \(Array(ewe.marks)) \(ewe.lambs.map(\.id))"
  }

  private func step(_ realm: Realm, _ random: inout SeededRandom) {
    let ewes = realm.objects(Ewe.self)
    let farms = realm.objects(Farm.self)
    func ewe() -> Ewe? { ewes.isEmpty ? nil : ewes[random.int(0...ewes.count - 1)] }
    switch random.int(0...13) {
    case 0, 1, 2:
      let id = random.int(-20...60)
      realm.create(
        Ewe.self, value: ["id": id, "name": "n\(random.int(0...5))", "age": random.int(0...9)],
        update: .modified)
    case 3: if let ewe = ewe() { realm.delete(ewe) }
    case 4: ewe()?.age = random.int(0...9)
    case 5: ewe()?.name = "n\(random.int(0...5))"
    case 6:
      if let ewe = ewe() { ewe.farm = farms.isEmpty ? nil : farms[random.int(0...farms.count - 1)] }
    case 7: farms.first?.area += 1
    case 8: realm.create(Farm.self, value: ["name": "f\(random.int(0...3))"], update: .modified)
    case 9: if farms.count > 1, let farm = farms.last { realm.delete(farm) }
    case 10: if let parent = ewe(), let lamb = ewe() { parent.lambs.append(lamb) }
    case 11: if let parent = ewe(), !parent.lambs.isEmpty { parent.lambs.removeFirst() }
    case 12: ewe()?.marks.append(random.int(0...3))
    default: if let first = ewe(), let second = ewe() { first.mother = second }
    }
  }

  @Test(arguments: 0..<4) func changeSetsReproduceEachVersion(run: Int) throws {
    var random = SeededRandom()
    for _ in 0..<run { _ = random.next() }
    try withTemporaryRealm { realm, store in
      try realm.write {
        for _ in 0..<60 { step(realm, &random) }
      }
      let all = realm.objects(Ewe.self)
      let queries: [(String, Results<Ewe>)] = [
        ("all", all), ("filtered", all.where { $0.age >= 5 }),
        ("sorted", all.sorted(by: \.name)),
        ("filtered, sorted", all.where { $0.age < 7 }.sorted(by: \.age, ascending: false)),
        ("over a link", all.where { $0.farm.area > 2 }),
        ("sorted over a link", all.sorted(byKeyPath: "farm.area")),
        ("sorted twice", all.sorted(by: \.age).sorted(by: \.name)),
      ]
      var kept: [Realm] = [realm.freeze()]
      for number in 0..<60 {
        try realm.write { for _ in 0...random.int(0...8) { step(realm, &random) } }
        kept.append(realm.freeze())
        // From one version to another, mostly to the next.
        let to = random.int(0...3) == 0 ? random.int(0...kept.count - 1) : kept.count - 1
        let from = random.int(0...3) == 0 ? random.int(0...kept.count - 1) : max(0, to - 1)
        let changes = try kept[to].changes(since: kept[from])
        for (name, query) in queries {
          let old = query.moved(to: kept[from]).map(Self.row)
          let new = query.moved(to: kept[to]).map(Self.row)
          var mirror = Mirror(rows: old)
          mirror.apply(try changes.changes(of: query), new)
          #expect(mirror.rows == new, "\(name), write \(number), \(from) to \(to), \(random)")
        }
        try expectObjects(changes, kept[from], kept[to], "write \(number), \(random)")
      }
      try store.check()
    }
  }

  /// Compares the reported objects with the objects that differ.
  private func expectObjects(
    _ changes: Realm.Changes, _ old: Realm, _ new: Realm, _ comment: Comment
  ) throws {
    let ewes = try changes.objects(Ewe.self)
    let before = Dictionary(
      uniqueKeysWithValues: old.objects(Ewe.self).map { ($0.id, Self.ownRow($0)) })
    let after = Dictionary(
      uniqueKeysWithValues: new.objects(Ewe.self).map { ($0.id, Self.ownRow($0)) })
    #expect(
      Set(ewes.insertions.map(\.id)) == Set(after.keys).subtracting(before.keys), comment)
    #expect(Set(ewes.deletions.map(\.id)) == Set(before.keys).subtracting(after.keys), comment)
    let modified = Set(ewes.modifications.map(\.new.id))
    for (id, row) in after {
      guard let old = before[id], old != row else { continue }
      #expect(modified.contains(id), "\(comment): object \(id)")
    }
  }

  private static func ownRow(_ ewe: Ewe) -> String {
    "\(ewe.name) \(ewe.age) \(ewe.farm?.name ?? "-") \(ewe.mother?.id ?? -1) "
      + "\(Array(ewe.marks)) \(ewe.lambs.map(\.id))"
  }
}

extension Results where Element: Object {
  /// The same query in another version.
  fileprivate func moved(to realm: Realm) -> Results {
    Results(ResultsHandle(context: realm.context, query: handle.query))
  }
}
