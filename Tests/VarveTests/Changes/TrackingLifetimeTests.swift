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
      let told = Told()
      for number in 1...50 {
        _ = told.track { (ewe.name, ewe.age, ewe.marks.count, realm.objects(Ewe.self).count) }
        #expect(trackedReads(realm) == 4)
        try realm.write { ewe.name = "\(number)" }
        #expect(trackedReads(realm) == 0)
      }
      #expect(told.count == 50)
    }
  }

  @Test func sharedReadIsKeptOnce() throws {
    try withTrackedRealm { realm, _ in
      let told = Told()
      for _ in 1...10 {
        let ewe = try realm.ewe(1)
        _ = told.track { (ewe.name, ewe.name) }
      }
      #expect(trackedReads(realm) == 1)
      try realm.write { try realm.ewe(1).name = "Molly" }
      #expect(told.count == 10)
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
      weak var closure: Told?
      do {
        let realm = try Realm(configuration: store.configuration)
        let ewe = try realm.ewe(1)
        try realm.write { ewe.lambs.append(Ewe(2)) }
        let told = Told()
        closure = told
        view = realm.context.view
        withObservationTracking {
          _ = (ewe.name, ewe.lambs.where { $0.age < 3 }.count, ewe.lambs[0].parents.count)
          _ = (realm.objects(Ewe.self).where { $0.age > 1 }.count, ewe.lambs.max(of: \.age))
        } onChange: {
          _ = told
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
      let told = Told()
      _ = told.track { ewe.name }
      #expect(notifier.isRunning)
      try realm.write { ewe.name = "Molly" }
      #expect(told.count == 1)
      notifier.waitForEnd()
      // The notifier starts again.
      _ = told.track { ewe.name }
      try store.writeElsewhere { try $0.ewe(1).name = "Polly" }
      told.wait(for: 2)
    }
  }

  @Test func closedStoreDoesNotNotify() throws {
    try withTrackedRealm { realm, store in
      let ewe = try realm.ewe(1)
      let told = Told()
      _ = told.track { ewe.name }
      try store.close()
      let value = told.track { ewe.name }
      #expect(value == "Dolly")
      #expect(told.count == 0)
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
      let (ewe, told) = (try realm.ewe(1), Told())
      _ = told.track { ewe.name }
      try Realm.close(configuration)
      // The store does not retain the object that follows its commits.
      _ = told.track { ewe.age }
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
      let told = Told()
      _ = told.track { ewe.name }
      try store.writeElsewhere { try $0.ewe(1).name = "Molly" }
      told.wait(for: 1)
      for _ in 0..<10 { mayEnd.signal() }
      token.invalidate()
    }
  }

  @Test func trackedRealmReleasesPastVersions() throws {
    try withTrackedRealm { realm, store in
      let ewe = try realm.ewe(1)
      let told = Told()
      weak let old = try store.configuration.store().newestSnapshot()
      _ = told.track { ewe.name }
      for _ in 1...20 {
        try store.writeElsewhere { try $0.ewe(1).age += 1 }
        let newest = try store.open().version
        let end = Date() + 30
        while realm.version != newest, Date() < end { usleep(100) }
        #expect(realm.version == newest)
      }
      #expect(told.count == 0)
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
            let told = Told()
            let weight = told.track { ewe.weight }
            try store.writeElsewhere { try $0.ewe(thread + 1).weight = weight + Double(round) }
            told.wait(for: 1)
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
