import Foundation
import Observation
import Testing
import Varve
import VarveCore
import VarveStorage

/// Which changes `withObservationTracking` notifies, and when.
@Suite struct ObservationTrackingTests {
  @Test func trackedPropertyChangeNotifies() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      let value = recorder.track { ewe.name }
      #expect(value == "Dolly")
      try realm.write { ewe.name = "Molly" }
      #expect(recorder.count == 1)
    }
  }

  @Test func otherPropertyChangeDoesNotNotify() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      _ = recorder.track { ewe.name }
      try realm.write { ewe.age = 4 }
      try realm.write { realm.add(Ewe(2, name: "Polly")) }
      #expect(recorder.count == 0)
      try realm.write { ewe.name = "Molly" }
      #expect(recorder.count == 1)
    }
  }

  @Test func invalidatedRealmNotifiesTrackedReads() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let all = realm.objects(Ewe.self)
      let recorder = TrackingRecorder()
      _ = recorder.track { ewe.isInvalidated }
      _ = recorder.track({ "\(ewe.isInvalidated)" }, { ewe.name })
      _ = recorder.track { all.where { $0.age > 1 }.count }
      _ = recorder.track { all.isInvalidated }
      _ = recorder.track { AnyRealmCollection(all.where { $0.age > 1 }).isInvalidated }
      try realm.write { ewe.age += 10 }
      #expect(recorder.count == 0)
      realm.invalidate()
      #expect(recorder.count == 5 && recorder.all.contains("false"))
      #expect(ewe.isInvalidated && ewe.name.isEmpty)
      // Reads from here on belong to another live realm.
      let again = try realm.ewe(1)
      _ = recorder.track { again.name }
      try realm.write { again.name = "Molly" }
      #expect(recorder.count == 6)
    }
  }

  @Test func notifiesOnceUntilTrackedAgain() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      _ = recorder.track { ewe.name }
      for name in ["a", "b", "c"] { try realm.write { ewe.name = name } }
      #expect(recorder.count == 1)
      let value = recorder.track { ewe.name }
      #expect(value == "c")
      try realm.write { ewe.name = "d" }
      #expect(recorder.count == 2)
    }
  }

  @Test func onChangeReadsOldValue() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      _ = recorder.track({ ewe.name }, { ewe.name })
      try realm.write { ewe.name = "Molly" }
      #expect(recorder.all == ["Dolly"])
      #expect(ewe.name == "Molly")
    }
  }

  @Test func assignmentInWriteNotifiesAtCommit() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      _ = recorder.track({ "\(realm.isInWriteTransaction)" }, { ewe.name })
      try realm.write {
        ewe.name = "Molly"
        ewe.name = "Polly"
        #expect(recorder.count == 0)
      }
      #expect(recorder.all == ["false"])
    }
  }

  @Test func failedWriteDoesNotNotify() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      _ = recorder.track { ewe.name }
      expectCancelled {
        try realm.write {
          ewe.name = "Molly"
          throw Cancelled()
        }
      }
      #expect(recorder.count == 0)
    }
  }

  @Test func trackedRealmFollowsCommits() throws {
    try withTrackedRealm { realm, store in
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      _ = recorder.track({ ewe.name }, { ewe.name })
      try store.writeElsewhere { try $0.ewe(1).name = "Molly" }
      #expect(recorder.wait(for: 1) == ["Dolly"])
      let end = Date() + 30
      while ewe.name == "Dolly", Date() < end { usleep(100) }
      #expect(ewe.name == "Molly")
    }
  }

  @Test func commitNewerThanTrackedReadNotifies() throws {
    try withTrackedRealm { realm, store in
      let ewe = try realm.ewe(1)
      try store.writeElsewhere { try $0.ewe(1).name = "Molly" }
      let recorder = TrackingRecorder()
      // The first tracked read makes the realm follow commits, which may happen before the read
      // itself.
      let name = recorder.track { ewe.name }
      if name == "Dolly" { recorder.wait(for: 1) }
      let end = Date() + 30
      while ewe.name == "Dolly", Date() < end { usleep(100) }
      #expect(ewe.name == "Molly")
    }
  }

  @Test func untrackedRealmDoesNotAdvance() throws {
    try withTrackedRealm { realm, store in
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      _ = recorder.track { ewe.name }
      try store.writeElsewhere { try $0.ewe(1).name = "Molly" }
      recorder.wait(for: 1)
      try realm.refresh()
      let watch = try Realm(configuration: store.configuration)
      let version = realm.version
      for name in ["a", "b", "c"] {
        // The second realm is tracked: by the time it is notified, the first realm would have
        // moved.
        let other = TrackingRecorder()
        _ = other.track { watch.object(ofType: Ewe.self, forPrimaryKey: 1)?.name }
        try store.writeElsewhere { try $0.ewe(1).name = name }
        other.wait(for: 1)
      }
      #expect(realm.version == version)
      #expect(ewe.name == "Molly")
      #expect(recorder.count == 1)
    }
  }

  @Test func realmWithoutTrackingDoesNotNotify() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(Ewe(1, name: "Dolly")) }
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      _ = recorder.track { ewe.name }
      try realm.write { ewe.name = "Molly" }
      #expect(recorder.count == 0)
    }
  }

  @Test func asyncWriteNotifiesBeforeReturning() async throws {
    try await withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      _ = recorder.track({ ewe.name }, { ewe.name })
      try await realm.asyncWrite { ewe.name = "Molly" }
      #expect(recorder.all == ["Dolly"])
      #expect(ewe.name == "Molly")
    }
  }

  @Test func commitWriteNotifies() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      _ = recorder.track { ewe.name }
      try realm.beginWrite()
      ewe.name = "Molly"
      #expect(recorder.count == 0)
      try realm.commitWrite()
      #expect(recorder.count == 1)
      #expect(ewe.name == "Molly")
      _ = recorder.track { ewe.name }
      try realm.beginWrite()
      ewe.name = "Polly"
      realm.cancelWrite()
      #expect(recorder.count == 1)
    }
  }

  @Test func refreshNotifiesSkippedChanges() throws {
    try withTrackedRealm { realm, store in
      let realm = try Realm(configuration: store.configuration)
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      _ = recorder.track { ewe.name }
      try store.writeElsewhere { try $0.ewe(1).name = "Molly" }
      try realm.refresh()
      recorder.wait(for: 1)
      #expect(ewe.name == "Molly")
    }
  }

  @Test func queueConfinedRealmNotifiesOnItsQueue() throws {
    try withTrackedRealm { _, store in
      let queue = DispatchQueue(label: "tracking")
      queue.setSpecific(key: Self.queueKey, value: "queue")
      let realm = try Realm(configuration: store.configuration, queue: queue)
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      _ = recorder.track(
        { DispatchQueue.getSpecific(key: Self.queueKey) ?? "elsewhere" }, { ewe.name })
      try store.writeElsewhere { try $0.ewe(1).name = "Molly" }
      #expect(recorder.wait(for: 1) == ["queue"])
    }
  }

  private static let queueKey = DispatchSpecificKey<String>()
}
