import Testing
import Varve
import VarveCore
import VarveStorage
import VarveTestSupport

/// Change sets over many commits and of many elements at once.
@Suite struct ManyChangesTests {
  @Test(arguments: [256, 1 << 16]) func unchangedAssignmentIsReportedAfterManyCommits(
    count: Int
  ) throws {
    try withTemporaryRealm { realm, _ in
      let ewe = Ewe(1, name: "Dolly")
      try realm.write { realm.add(ewe) }
      let before = realm.freeze()
      try realm.write { ewe.name = "Dolly" }
      // The commits that follow make the version counters of touched entries wrap around, if they
      // do at all.
      let first = realm.context.snapshot.version
      let environment = realm.context.store.environment
      for _ in 1..<count {
        // A version without differences.
        let transaction = try environment.beginWrite(timeout: .seconds(10))
        transaction.root.nextObjectID += 1
        _ = try transaction.commit()
      }
      try realm.write { realm.create(Ewe.self, value: ["id": 2]) }
      #expect(realm.context.snapshot.version.counter - first.counter == UInt64(count))
      let changes = try realm.changes(since: before).objects(Ewe.self)
      #expect(changes.modifications.map(\.new.id) == [1])
      #expect(changes.modifications.first?.properties.map(\.name) == ["name"])
      #expect(changes.insertions.map(\.id) == [2])
    }
  }

  @Test func changesOfShuffledListReproduceList() throws {
    try withTemporaryRealm { realm, _ in
      var random = SeededRandom()
      let ewe = Ewe(1)
      try realm.write {
        realm.add(ewe)
        ewe.marks.append(objectsIn: 0..<50_000)
      }
      let before = realm.freeze()
      let marks = Array(0..<50_000).shuffled(using: &random)
      try realm.write {
        ewe.marks.removeAll()
        ewe.marks.append(objectsIn: marks)
      }
      let changes = try realm.changes(since: before).changes(of: ewe.marks)
      // Deletions, insertions and replacements turn the old list into the new list.
      var found = Array(0..<50_000)
      for index in changes.deletions.reversed() { found.remove(at: index) }
      for index in changes.insertions { found.insert(marks[index], at: index) }
      for index in changes.newModifications { found[index] = marks[index] }
      #expect(found == marks, "\(random)")
      // An element reported as kept has not changed.
      let kept = Set(changes.modifications)
      #expect(kept.isDisjoint(with: changes.deletions), "\(random)")
    }
  }
}
