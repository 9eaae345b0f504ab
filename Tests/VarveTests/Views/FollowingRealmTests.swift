import Dispatch
import Foundation
import Glibc
import Testing
import Varve
import VarveStorage
import VarveTestSupport

@testable import VarveCore

/// Realms that nobody reads follow the commits, and cost the store nothing.
@Suite struct FollowingRealmTests {
  /// A store whose realms are idle as soon as the clock of the store has advanced.
  private func withShortLimit(_ body: (Realm, TemporaryRealm, Store) throws -> Void) throws {
    try withTemporaryRealm({ $0.idleLimit = .milliseconds(500) }) { realm, store in
      let core = try store.configuration.store()
      core.leaveHousekeeping()
      try body(realm, store, core)
    }
  }

  /// Makes the unread realms idle: the first pass finds that they were read.
  private func pass(_ core: Store) {
    core.tidy()
    core.tidy()
  }

  // MARK: Versions

  @Test func nextReadOfIdleRealmSeesEveryCommit() throws {
    try withShortLimit { realm, store, core in
      let held = try store.open()
      try realm.write { realm.add(Tally(value: ["id": 1])) }
      let tally = try #require(realm.object(ofType: Tally.self, forPrimaryKey: 1))
      for number in 1...3 {
        pass(core)
        for _ in 0..<20 { try realm.write { tally.value += 1 } }
        #expect(held.object(ofType: Tally.self, forPrimaryKey: 1)?.value == 20 * number)
      }
    }
  }

  @Test func handlesOfIdleRealmFollow() throws {
    try withShortLimit { realm, store, core in
      try realm.write { realm.add(Sheep(1, age: 1, weights: [1])) }
      let held = try store.open()
      let sheep = try #require(held.objects(Sheep.self).first)
      let (weights, all) = (sheep.weights, held.objects(Sheep.self))
      let grown = all.where { $0.age > 1 }
      let reads: [() -> Int] = [
        { sheep.age }, { weights.count }, { Int(weights[0]) }, { all.count }, { grown.count },
        { Array(weights).count }, { held.objects(Sheep.self).where { $0.age > 1 }.count },
        { Int(held.version.number) },
      ]
      for (number, read) in reads.enumerated() {
        let before = read()
        pass(core)
        try realm.write {
          let sheep = realm.object(ofType: Sheep.self, forPrimaryKey: 1)
          sheep?.age += 1
          sheep?.weights.append(2)
          sheep?.weights[0] += 1
          realm.add(Sheep(number + 2, age: 7))
        }
        #expect(read() > before, "read \(number)")
      }
    }
  }

  @Test func realmInUseKeepsItsVersion() throws {
    try withShortLimit { realm, store, core in
      try realm.write { realm.add(Tally(value: ["id": 1])) }
      let held = try store.open()
      let tally = try #require(held.object(ofType: Tally.self, forPrimaryKey: 1))
      pass(core)
      // The read begins a unit of work.
      #expect(tally.value == 0)
      for _ in 0..<100 {
        try realm.write { realm.object(ofType: Tally.self, forPrimaryKey: 1)?.value += 1 }
        #expect(tally.value == 0)
      }
    }
  }

  @Test func otherRealmsKeepTheirRules() throws {
    try withShortLimit { realm, store, core in
      try realm.write { realm.add(Tally(value: ["id": 1])) }
      let stationary = try store.open()
      stationary.autorefresh = false
      let frozen = try store.open().freeze()
      let queue = DispatchQueue(label: "refreshed")
      queue.suspend()
      let refreshed = try Realm(configuration: store.configuration, queue: queue)
      let observed = try store.open()
      let token = try observed.objects(Tally.self).observe(on: queue) { _ in }
      let version = realm.version
      pass(core)
      try realm.write { realm.object(ofType: Tally.self, forPrimaryKey: 1)?.value += 1 }
      for realm in [stationary, frozen, refreshed, observed] { #expect(realm.version == version) }
      queue.resume()
      token.invalidate()
    }
  }

  /// Its values read as deleted, so nothing needs the version.
  @Test func invalidatedRealmWithoutAutorefreshReleasesItsVersion() throws {
    try withShortLimit { realm, store, core in
      try realm.write { realm.add(Tally(value: ["id": 1])) }
      let stationary = try store.open()
      stationary.autorefresh = false
      let tally = try #require(stationary.objects(Tally.self).first)
      stationary.invalidate()
      #expect(tally.isInvalidated && !stationary.autorefresh)
      let version = stationary.version
      try realm.write { realm.object(ofType: Tally.self, forPrimaryKey: 1)?.value += 1 }
      #expect(stationary.version == version)
      try stationary.refresh()
      pass(core)
      let newest = try core.newestSnapshot()
      #expect(try core.pinnedVersions(newest).allSatisfy { $0.distance == 0 })
      #expect(tally.isInvalidated)
    }
  }

  @Test func realmFollowsAgainAfterItsObserversHaveEnded() throws {
    try withShortLimit { realm, store, core in
      let observed = try store.open()
      try observed.objects(Tally.self).observe { _ in }.invalidate()
      pass(core)
      try realm.write { realm.add(Tally(value: ["id": 1])) }
      #expect(observed.objects(Tally.self).count == 1)
    }
  }

  // MARK: Growth

  @Test func idleRealmsPinOnlyLastCommits() throws {
    try withShortLimit { realm, store, core in
      try realm.write { realm.add(Tally(value: ["id": 1])) }
      let tally = try #require(realm.object(ofType: Tally.self, forPrimaryKey: 1))
      let held = try (0..<10).map { _ in try store.open() }
      for realm in held { #expect(realm.objects(Tally.self).count == 1) }
      pass(core)
      for _ in 0..<500 { try realm.write { tally.value += 1 } }
      let oldest = try core.storageUse().versions.map(\.distance).max() ?? 0
      #expect(oldest < 32)
      for realm in held { #expect(realm.objects(Tally.self).first?.value == 500) }
    }
  }

  /// Makes small commits, and returns the size of the file.
  private func fill(_ realm: Realm, _ store: TemporaryRealm, commits: Int) throws -> Int {
    for number in 0..<commits {
      try realm.write {
        realm.object(ofType: Tally.self, forPrimaryKey: number &* 7919 % 5000)?.value += 1
      }
    }
    return try size(of: store)
  }

  private func size(of store: TemporaryRealm) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int ?? 0
  }

  private func addTallies(_ realm: Realm) throws {
    try realm.write {
      for id in 0..<5000 { realm.add(Tally(value: ["id": id])) }
    }
  }

  @Test func smallCommitsBesideIdleRealmsDoNotGrowFile() throws {
    var sizes: [Int] = []
    for count in [0, 10] {
      try withShortLimit { realm, store, core in
        try addTallies(realm)
        let held = try (0..<count).map { _ in try store.open() }
        for realm in held { #expect(realm.objects(Tally.self).count == 5000) }
        pass(core)
        sizes.append(try fill(realm, store, commits: 3000))
        withExtendedLifetime(held) {}
      }
    }
    // A pinned version would cost some 50 MB; a realm may be late by a few commits.
    #expect(sizes[1] - sizes[0] < 1 << 20, "\(sizes)")
  }

  /// The growth of a file under commits that each make one of twice as many objects longer.
  private func growth(commits: Int, besideIdleRealms count: Int) throws -> Int {
    try withTemporaryRealm({ $0.idleLimit = .milliseconds(50) }) { realm, store in
      let core = try store.configuration.store()
      try realm.write {
        for id in 0..<2 * commits { realm.add(Tally(value: ["id": id])) }
      }
      let held = try (0..<count).map { _ in try store.open() }
      for realm in held { #expect(realm.objects(Tally.self).count == 2 * commits) }
      while !core.views.all.allSatisfy(\.isIdle) { usleep(1000) }
      let before = try size(of: store)
      let padding = String(repeating: "x", count: 200)
      for number in 0..<commits {
        try realm.write {
          let id = number &* 7919 % (2 * commits)
          realm.object(ofType: Tally.self, forPrimaryKey: id)?.padding = padding
        }
      }
      withExtendedLifetime(held) {}
      return try size(of: store) - before
    }
  }

  /// In `make soak` with 100,000 commits.
  @Test(.timeLimit(.minutes(10))) func growthBesideIdleRealmsIsThatBesideNone() throws {
    let commits = isSoak ? 100_000 : 5000
    let alone = try growth(commits: commits, besideIdleRealms: 0)
    let beside = try growth(commits: commits, besideIdleRealms: 10)
    let ratio = Double(beside) / Double(alone)
    print(
      "\(commits) commits: \(alone >> 10) KiB, beside ten idle realms \(beside >> 10) KiB: \(ratio)"
    )
    #expect(ratio <= 1.2)
  }

  @Test(.timeLimit(.minutes(1)))
  func commitsBesideIdleRealmsOfAnotherProcessDoNotGrowFile() throws {
    try withShortLimit { realm, store, core in
      try addTallies(realm)
      let process = TestProcess(["viewHold", store.path, "10"])
      #expect(process.line() == "held")
      let first = try core.newestSnapshot().transactionID
      // The other process notices by itself that its realms are not read.
      while try core.environment.readers().contains(where: {
        $0.pid == process.pid && $0.transactionID.map { $0 <= first } ?? false
      }) {
        try realm.write { realm.object(ofType: Tally.self, forPrimaryKey: 0)?.value += 1 }
      }
      let before = try fill(realm, store, commits: 0)
      // A pinned version would cost some 50 MB.
      #expect(try fill(realm, store, commits: 3000) - before < 8 << 20)
      process.go()
      // Each realm reads the value of the last commit.
      let last = realm.object(ofType: Tally.self, forPrimaryKey: 2999 &* 7919 % 5000)?.value
      #expect(process.line() == "\(10 * (last ?? 0))")
      process.wait()
    }
  }
}
