import Foundation
import Observation
import Testing
import Varve
import VarveCore
import VarveStorage

/// Who is told by `withObservationTracking`, of what, and when.
@Suite struct ObservationTrackingTests {
  @Test func aChangeOfTheTrackedPropertyIsTold() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let told = Told()
      let value = told.track { ewe.name }
      #expect(value == "Dolly")
      try realm.write { ewe.name = "Molly" }
      #expect(told.count == 1)
    }
  }

  @Test func aChangeOfAnotherPropertyIsNotTold() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let told = Told()
      _ = told.track { ewe.name }
      try realm.write { ewe.age = 4 }
      try realm.write { realm.add(Ewe(2, name: "Polly")) }
      #expect(told.count == 0)
      try realm.write { ewe.name = "Molly" }
      #expect(told.count == 1)
    }
  }

  @Test func whatWasReadIsToldOfTheEndOfItsRealm() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let all = realm.objects(Ewe.self)
      let told = Told()
      _ = told.track { ewe.isInvalidated }
      _ = told.track({ "\(ewe.isInvalidated)" }, { ewe.name })
      _ = told.track { all.where { $0.age > 1 }.count }
      _ = told.track { all.isInvalidated }
      _ = told.track { AnyRealmCollection(all.where { $0.age > 1 }).isInvalidated }
      try realm.write { ewe.age += 10 }
      #expect(told.count == 0)
      realm.invalidate()
      #expect(told.count == 5 && told.all.contains("false"))
      #expect(ewe.isInvalidated && ewe.name.isEmpty)
      // What is read from now on is another view's.
      let again = try realm.ewe(1)
      _ = told.track { again.name }
      try realm.write { again.name = "Molly" }
      #expect(told.count == 6)
    }
  }

  @Test func itIsToldOnceUntilItIsTrackedAgain() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let told = Told()
      _ = told.track { ewe.name }
      for name in ["a", "b", "c"] { try realm.write { ewe.name = name } }
      #expect(told.count == 1)
      let value = told.track { ewe.name }
      #expect(value == "c")
      try realm.write { ewe.name = "d" }
      #expect(told.count == 2)
    }
  }

  @Test func whoIsToldReadsTheOldValueAndThenTheNewOne() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let told = Told()
      _ = told.track({ ewe.name }, { ewe.name })
      try realm.write { ewe.name = "Molly" }
      #expect(told.all == ["Dolly"])
      #expect(ewe.name == "Molly")
    }
  }

  @Test func aSetInsideAWriteIsToldWithTheCommit() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let told = Told()
      _ = told.track({ "\(realm.isInWriteTransaction)" }, { ewe.name })
      try realm.write {
        ewe.name = "Molly"
        ewe.name = "Polly"
        #expect(told.count == 0)
      }
      #expect(told.all == ["false"])
    }
  }

  @Test func aWriteThatFailsIsNotTold() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let told = Told()
      _ = told.track { ewe.name }
      expectCancelled {
        try realm.write {
          ewe.name = "Molly"
          throw Cancelled()
        }
      }
      #expect(told.count == 0)
    }
  }

  @Test func aTrackedRealmFollowsCommitsByItself() throws {
    try withTrackedRealm { realm, store in
      let ewe = try realm.ewe(1)
      let told = Told()
      _ = told.track({ ewe.name }, { ewe.name })
      try store.writeElsewhere { try $0.ewe(1).name = "Molly" }
      #expect(told.wait(for: 1) == ["Dolly"])
      let end = Date() + 30
      while ewe.name == "Dolly", Date() < end { usleep(100) }
      #expect(ewe.name == "Molly")
    }
  }

  @Test func aCommitThatTheReadDidNotSeeIsTold() throws {
    try withTrackedRealm { realm, store in
      let ewe = try realm.ewe(1)
      try store.writeElsewhere { try $0.ewe(1).name = "Molly" }
      let told = Told()
      // The first tracked read has the realm follow commits, which may be faster than the read itself.
      let name = told.track { ewe.name }
      if name == "Dolly" { told.wait(for: 1) }
      let end = Date() + 30
      while ewe.name == "Dolly", Date() < end { usleep(100) }
      #expect(ewe.name == "Molly")
    }
  }

  @Test func aRealmThatNobodyTracksStaysWhereItIs() throws {
    try withTrackedRealm { realm, store in
      let ewe = try realm.ewe(1)
      let told = Told()
      _ = told.track { ewe.name }
      try store.writeElsewhere { try $0.ewe(1).name = "Molly" }
      told.wait(for: 1)
      try realm.refresh()
      let watch = try Realm(configuration: store.configuration)
      let version = realm.version
      for name in ["a", "b", "c"] {
        // The second realm is tracked: when it is told, the first would have been moved.
        let other = Told()
        _ = other.track { watch.object(ofType: Ewe.self, forPrimaryKey: 1)?.name }
        try store.writeElsewhere { try $0.ewe(1).name = name }
        other.wait(for: 1)
      }
      #expect(realm.version == version)
      #expect(ewe.name == "Molly")
      #expect(told.count == 1)
    }
  }

  @Test func aRealmThatDoesNotTrackTellsNothing() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(Ewe(1, name: "Dolly")) }
      let ewe = try realm.ewe(1)
      let told = Told()
      _ = told.track { ewe.name }
      try realm.write { ewe.name = "Molly" }
      #expect(told.count == 0)
    }
  }

  @Test func theCommitOfAnAsynchronousWriteIsToldBeforeTheWriteReturns() async throws {
    try await withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let told = Told()
      _ = told.track({ ewe.name }, { ewe.name })
      try await realm.asyncWrite { ewe.name = "Molly" }
      #expect(told.all == ["Dolly"])
      #expect(ewe.name == "Molly")
    }
  }

  @Test func theEndOfABegunWriteIsTold() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let told = Told()
      _ = told.track { ewe.name }
      try realm.beginWrite()
      ewe.name = "Molly"
      #expect(told.count == 0)
      try realm.commitWrite()
      #expect(told.count == 1)
      #expect(ewe.name == "Molly")
      _ = told.track { ewe.name }
      try realm.beginWrite()
      ewe.name = "Polly"
      realm.cancelWrite()
      #expect(told.count == 1)
    }
  }

  @Test func aRefreshIsToldOfWhatItPassesOver() throws {
    try withTrackedRealm { realm, store in
      let realm = try Realm(configuration: store.configuration)
      let ewe = try realm.ewe(1)
      let told = Told()
      _ = told.track { ewe.name }
      try store.writeElsewhere { try $0.ewe(1).name = "Molly" }
      try realm.refresh()
      told.wait(for: 1)
      #expect(ewe.name == "Molly")
    }
  }

  @Test func aRealmOnAQueueTellsThere() throws {
    try withTrackedRealm { _, store in
      let queue = DispatchQueue(label: "tracking")
      queue.setSpecific(key: Self.place, value: "queue")
      let realm = try Realm(configuration: store.configuration, queue: queue)
      let ewe = try realm.ewe(1)
      let told = Told()
      _ = told.track({ DispatchQueue.getSpecific(key: Self.place) ?? "elsewhere" }, { ewe.name })
      try store.writeElsewhere { try $0.ewe(1).name = "Molly" }
      #expect(told.wait(for: 1) == ["queue"])
    }
  }

  private static let place = DispatchSpecificKey<String>()
}
