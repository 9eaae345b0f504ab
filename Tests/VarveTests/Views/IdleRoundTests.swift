import Foundation
import Glibc
import Testing
import Varve
import VarveTestSupport

@testable import VarveCore

/// When the store looks for realms that nobody reads, and what that costs.
@Suite struct IdleRoundTests {
  /// Whether no realm of a store is in use.
  private func isIdle(_ core: Store) -> Bool { core.views.all.allSatisfy(\.isIdle) }

  private func waitUntilIdle(_ core: Store) {
    while !isIdle(core) { usleep(1000) }
  }

  @Test(.timeLimit(.minutes(1)))
  func realmThatIsReadAgainBecomesIdleByItself() throws {
    try withTemporaryRealm({ $0.idleLimit = .milliseconds(500) }) { realm, store in
      try realm.write { realm.add(Tally(value: ["id": 1])) }
      let core = try store.configuration.store()
      let held = try store.open()
      for _ in 0..<3 {
        #expect(held.objects(Tally.self).count == 1)
        #expect(!isIdle(core))
        // No commit causes a round, and the housekeeper comes before its next tick.
        waitUntilIdle(core)
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func idleRealmsNeedOneRoundPerTick() throws {
    try withTemporaryRealm({ $0.idleLimit = .milliseconds(50) }) { realm, store in
      try realm.write { realm.add(Tally(value: ["id": 1])) }
      let core = try store.configuration.store()
      let held = try (0..<10).map { _ in try store.open() }
      for _ in 0..<3 {
        for realm in held { #expect(realm.objects(Tally.self).count == 1) }
        waitUntilIdle(core)
        let (rounds, start) = (core.idleViews.roundCount, ContinuousClock.now)
        usleep(200_000)
        let ticks = Int((ContinuousClock.now - start) / Housekeeper.tick) + 1
        // One may have been under way.
        #expect(core.idleViews.roundCount - rounds <= ticks + 1)
      }
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: [1, 10, 100])
  func commitPaysForFewIdleRealms(_ count: Int) throws {
    try withTemporaryRealm({ $0.idleLimit = .milliseconds(500) }) { realm, store in
      try realm.write { realm.add(Tally(value: ["id": 1])) }
      let core = try store.configuration.store()
      core.leaveHousekeeping()
      let tally = try #require(realm.object(ofType: Tally.self, forPrimaryKey: 1))
      let held = try (0..<count).map { _ in try store.open() }
      for realm in held { #expect(realm.objects(Tally.self).count == 1) }
      for _ in 0..<2 { core.tidy() }
      let (rounds, start) = (core.idleViews.roundCount, ContinuousClock.now)
      let commits = 1000
      for _ in 0..<commits { try realm.write { tally.value += 1 } }
      let intervals = Int((ContinuousClock.now - start) / IdleViews.interval) + 1
      #expect(core.idleViews.roundCount - rounds <= commits / max(4, count / 4) + intervals + 1)
      for realm in held { #expect(realm.objects(Tally.self).first?.value == commits) }
    }
  }
}
