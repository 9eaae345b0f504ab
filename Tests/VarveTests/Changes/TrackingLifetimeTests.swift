import Foundation
import Observation
import Testing
import Varve
import VarveCore
import VarveStorage

/// The state that tracking keeps, and its lifetime.
@Suite(.timeLimit(.minutes(1))) struct TrackingLifetimeTests {
  /// The number of tracked reads in the live realm.
  private func trackedReads(_ realm: Realm) -> Int {
    realm.context.view?.pin.tracking?.trackedCount ?? -1
  }

  @Test func notifiedReadsAreReleased() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      #expect(trackedReads(realm) == 0)
      let recorder = TrackingRecorder()
      for number in 1...50 {
        _ = recorder.track { (ewe.name, ewe.age, ewe.marks.count, realm.objects(Ewe.self).count) }
        #expect(trackedReads(realm) == 4)
        try realm.write { ewe.name = "\(number)" }
        #expect(trackedReads(realm) == 0)
      }
      #expect(recorder.count == 50)
    }
  }

  @Test func sharedReadIsKeptOnce() throws {
    try withTrackedRealm { realm, _ in
      let recorder = TrackingRecorder()
      for _ in 1...10 {
        let ewe = try realm.ewe(1)
        _ = recorder.track { (ewe.name, ewe.name) }
      }
      #expect(trackedReads(realm) == 1)
      try realm.write { try realm.ewe(1).name = "Molly" }
      #expect(recorder.count == 10)
      #expect(trackedReads(realm) == 0)
    }
  }

  @Test func untrackedReadsAreNotKept() throws {
    try withTrackedRealm { realm, _ in
      let ewe = try realm.ewe(1)
      _ = (ewe.name, ewe.marks.count, realm.objects(Ewe.self).first)
      #expect(trackedReads(realm) == 0)
    }
  }

  @Test func trackedRealmCanBeReleased() throws {
    try withTrackedRealm { _, store in
      weak var view: View?
      weak var closure: TrackingRecorder?
      do {
        let realm = try Realm(configuration: store.configuration)
        let ewe = try realm.ewe(1)
        try realm.write { ewe.lambs.append(Ewe(2)) }
        let recorder = TrackingRecorder()
        closure = recorder
        view = realm.context.view
        withObservationTracking {
          _ = (ewe.name, ewe.lambs.where { $0.age < 3 }.count, ewe.lambs[0].parents.count)
          _ = (realm.objects(Ewe.self).where { $0.age > 1 }.count, ewe.lambs.max(of: \.age))
        } onChange: {
          _ = recorder
        }
        #expect(trackedReads(realm) == 6)
      }
      // The job that follows commits may retain it for a moment.
      let end = Date() + 30
      while view != nil || closure != nil, Date() < end { usleep(100) }
      #expect(view == nil)
      #expect(closure == nil)
    }
  }

  @Test func notifierStopsWithoutTrackedReads() throws {
    try withTrackedRealm { realm, store in
      let ewe = try realm.ewe(1)
      let notifier = try store.configuration.store().notifier
      #expect(!notifier.isRunning)
      let recorder = TrackingRecorder()
      _ = recorder.track { ewe.name }
      #expect(notifier.isRunning)
      try realm.write { ewe.name = "Molly" }
      #expect(recorder.count == 1)
      notifier.waitForEnd()
      // The notifier starts again.
      _ = recorder.track { ewe.name }
      try store.writeElsewhere { try $0.ewe(1).name = "Polly" }
      recorder.wait(for: 2)
    }
  }

  @Test func closedStoreDoesNotNotify() throws {
    try withTrackedRealm { realm, store in
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      _ = recorder.track { ewe.name }
      try store.close()
      let value = recorder.track { ewe.name }
      #expect(value == "Dolly")
      #expect(recorder.count == 0)
      _ = try store.open()
    }
  }

  @Test func trackedStoreIsReleasedWithItsRealm() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    weak var core: Store?
    try {
      // A configuration retains the store that it has opened.
      let configuration = Realm.Configuration(
        fileURL: URL(filePath: store.path), durability: .none, mapReservation: 1 << 30,
        tracksObservation: true)
      let realm = try Realm(configuration: configuration)
      core = realm.context.store
      try realm.write { realm.add(Ewe(1)) }
      let (ewe, recorder) = (try realm.ewe(1), TrackingRecorder())
      _ = recorder.track { ewe.name }
      try Realm.close(configuration)
      // The store does not retain the object that follows its commits.
      _ = recorder.track { ewe.age }
    }()
    let end = Date() + 30
    while core != nil, Date() < end { usleep(1000) }
    #expect(core == nil)
  }

  @Test func blockedObserverDoesNotStopTrackedRealm() throws {
    try withTrackedRealm { realm, store in
      let (began, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let token = try realm.objects(Farm.self).observe { _ in
        began.signal()
        mayEnd.wait()
      }
      began.wait()
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      _ = recorder.track { ewe.name }
      try store.writeElsewhere { try $0.ewe(1).name = "Molly" }
      recorder.wait(for: 1)
      for _ in 0..<10 { mayEnd.signal() }
      token.invalidate()
    }
  }

  @Test func trackedRealmReleasesPastVersions() throws {
    try withTrackedRealm { realm, store in
      let ewe = try realm.ewe(1)
      let recorder = TrackingRecorder()
      weak let old = try store.configuration.store().newestSnapshot()
      _ = recorder.track { ewe.name }
      for _ in 1...20 {
        try store.writeElsewhere { try $0.ewe(1).age += 1 }
        let newest = try store.open().version
        let end = Date() + 30
        while realm.version != newest, Date() < end { usleep(100) }
        #expect(realm.version == newest)
      }
      #expect(recorder.count == 0)
      // The housekeeper releases comparisons.
      let end = Date() + 30
      while old != nil, Date() < end { usleep(1000) }
      #expect(old == nil)
    }
  }

  @Test func manyThreadsCanTrackOneRealm() throws {
    try withTrackedRealm { realm, store in
      try realm.write { for id in 2...8 { realm.add(Ewe(id)) } }
      let rounds = 50
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        do {
          let ewe = try realm.ewe(thread + 1)
          for round in 1...rounds {
            let recorder = TrackingRecorder()
            let weight = recorder.track { ewe.weight }
            try store.writeElsewhere { try $0.ewe(thread + 1).weight = weight + Double(round) }
            recorder.wait(for: 1)
            let end = Date() + 30
            while ewe.weight == weight, Date() < end { usleep(100) }
          }
        } catch {
          Issue.record(error)
        }
      }
      let expected = Double(rounds * (rounds + 1) / 2)
      #expect(realm.objects(Ewe.self).map(\.weight) == Array(repeating: expected, count: 8))
      #expect(trackedReads(realm) == 0)
    }
  }
}
