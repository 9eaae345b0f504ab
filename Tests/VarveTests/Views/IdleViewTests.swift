import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage
import VarveTestSupport

/// Realms that are not read for the idle limit. The seconds of ``pass(_:_:)`` are those of the
/// store's clock.
@Suite struct IdleViewTests {
  private func withLimit(
    _ limit: Duration = .seconds(5), _ body: (Realm, TemporaryRealm) throws -> Void
  ) throws {
    try withTemporaryRealm({ $0.idleLimit = limit }, body)
  }

  /// Runs the work that the maintenance thread does in the given number of seconds.
  private func pass(_ seconds: Int, _ store: TemporaryRealm) throws {
    let core = try store.configuration.store()
    for _ in 0..<seconds { core.tidy() }
  }

  @Test func unreadRealmMovesToNewestVersion() throws {
    try withLimit { realm, store in
      try realm.write { realm.add(Sheep(1)) }
      let forgotten = try store.open()
      let sheep = forgotten.objects(Sheep.self)
      #expect(sheep.count == 1)
      try realm.write { realm.add(Sheep(2)) }
      // The first pass finds that the realm was read; the fifth pass after it ends the limit of
      // five seconds.
      try pass(5, store)
      #expect(forgotten.version != realm.version)
      #expect(sheep.count == 1)
      try pass(6, store)
      #expect(sheep.count == 2)
      #expect(forgotten.version == realm.version)
    }
  }

  @Test func readRealmIsNotIdle() throws {
    try withTemporaryRealm({
      $0.idleLimit = .seconds(5)
      $0.maximumLag = .seconds(3600)
    }) { realm, store in
      try realm.write { realm.add(Sheep(1, age: 1, weights: [1])) }
      let held = try store.open()
      let sheep = try #require(held.objects(Sheep.self).first)
      let weights = sheep.weights
      try realm.write { realm.objects(Sheep.self).first?.age = 2 }
      let reads: [() -> Bool] = [
        { sheep.age == 1 }, { weights.count == 1 }, { weights[0] == 1 },
        { Array(weights) == [1] }, { held.objects(Sheep.self).count == 1 }, { sheep.name == "" },
        { held.object(ofType: Sheep.self, forPrimaryKey: 1) != nil },
        { held.objects(Sheep.self).where { $0.age == 1 }.count == 1 },
      ]
      for read in reads {
        try pass(4, store)
        #expect(read())
      }
      try pass(4, store)
      #expect(sheep.age == 1)
    }
  }

  @Test func idleLimitDoesNotMoveFrozenHandles() throws {
    try withLimit { realm, store in
      try realm.write { realm.add(Sheep(1)) }
      let frozen = realm.freeze()
      try realm.write { realm.add(Sheep(2)) }
      try pass(20, store)
      #expect(frozen.objects(Sheep.self).count == 1)
    }
  }

  @Test func idleLimitIsConfigurable() throws {
    try withTemporaryRealm({ $0.idleLimit = .seconds(1) }) { realm, store in
      let forgotten = try store.open()
      try realm.write { realm.add(Sheep(1)) }
      try pass(2, store)
      #expect(forgotten.objects(Sheep.self).count == 1)
    }
    try withTemporaryRealm({
      $0.idleLimit = .seconds(Int64.max)
      $0.maximumLag = .seconds(Int64.max)
    }) { realm, store in
      let forgotten = try store.open()
      try realm.write { realm.add(Sheep(1)) }
      try pass(20, store)
      #expect(forgotten.objects(Sheep.self).isEmpty)
    }
  }

  @Test func idleRealmDoesNotGrowFile() throws {
    try withLimit { realm, store in
      let tally = Tally(value: ["id": 1])
      try realm.write { realm.add(tally) }
      let forgotten = try store.open()
      let seen = try #require(forgotten.objects(Tally.self).first)
      let padding = String(repeating: "x", count: 400_000)
      for number in 1...200 {
        try realm.write {
          tally.value = number
          tally.padding = "\(number)" + padding
        }
        if number % 10 == 0 { try pass(1, store) }
      }
      // 80 MB were written; a realm that pinned its version would have kept all of them in the
      // file.
      #expect(try size(of: store.path) < 40 << 20)
      #expect(seen.value > 0)
    }
  }

  @Test func collectionUsedInWriteDoesNotGrowFile() throws {
    try withLimit { realm, store in
      let tally = Tally(value: ["id": 1])
      let sheep = Sheep(1, weights: [1])
      try realm.write {
        realm.add(tally)
        realm.add(sheep)
      }
      let (weights, marks) = (sheep.weights, sheep.marks)
      try realm.write {
        weights.append(2)
        marks["a"] = "b"
      }
      let padding = String(repeating: "x", count: 400_000)
      for number in 1...200 {
        try realm.write {
          tally.value = number
          tally.padding = "\(number)" + padding
        }
        if number % 10 == 0 { try pass(1, store) }
      }
      #expect(try size(of: store.path) < 40 << 20)
      #expect(Array(weights) == [1, 2] && marks["a"] == "b")
    }
  }

  @Test func idleRealmFollowsCommitsOfAnotherProcess() throws {
    try withLimit { realm, store in
      try realm.write { realm.add(Tally(value: ["id": 1])) }
      let forgotten = try store.open()
      let tally = try #require(forgotten.objects(Tally.self).first)
      let process = TestProcess(["viewIncrement", store.path, "1", "2000"])
      #expect(process.line() == "ready")
      process.go()
      #expect(process.line() == "done")
      try pass(7, store)
      #expect(tally.value == 2000)
      process.wait()
    }
  }

  @Test func readersOfDeadProcessAreCleared() throws {
    try withTemporaryRealm { realm, store in
      let environment = try store.configuration.store().environment
      let process = TestProcess(["viewPin", store.path])
      #expect(process.line() == "pinned")
      #expect(try environment.readers().contains { $0.pid == process.pid })
      process.kill()
      #expect(realm.objects(Sheep.self).isEmpty)
      try pass(1, store)
      let pids = try environment.readers().map(\.pid)
      #expect(!pids.contains(process.pid))
    }
  }

  private func size(of path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }
}
