import Foundation
import Logging
import Testing
import Varve
import VarveCore
import VarveStorage
import VarveTestSupport

@Suite struct PinBudgetTests {
  @Test func numberOfActiveVersionsIsLimited() throws {
    try withTemporaryRealm({ $0.maximumNumberOfActiveVersions = 5 }) { realm, store in
      try grow(realm, versions: 10)
      var frozen: Realm? = realm.freeze()
      try grow(realm, versions: 4)
      try grow(realm, versions: 1)
      let before = realm.version
      let error = thrownError { try grow(realm, versions: 1) }
      #expect(error?.code == .tooManyVersions && error?.path == store.path)
      #expect(
        error?.message == "Number of active versions (6) in the Realm exceeded the limit of 5")
      #expect(error?.details.first?.contains("PinBudgetTests.swift") == true)
      #expect(realm.version == before && frozen?.isFrozen == true)
      frozen = nil
      try grow(realm, versions: 10)
    }
  }

  @Test func versionsPinnedByAnotherProcessCount() throws {
    try withTemporaryRealm({ $0.maximumNumberOfActiveVersions = 3 }) { realm, store in
      try grow(realm, versions: 1)
      let process = pinningProcess(store)
      try grow(realm, versions: 3)
      let error = thrownError { try grow(realm, versions: 1) }
      #expect(error?.code == .tooManyVersions)
      #expect(error?.details.first?.contains("process \(process.pid)") == true)
      process.go()
      process.wait()
      try grow(realm, versions: 1)
    }
  }

  @Test(arguments: [
    Realm.PinBudget(versions: 3, age: nil, bytes: nil, action: .refuseWrites),
    Realm.PinBudget(versions: nil, age: .zero, bytes: nil, action: .refuseWrites),
    Realm.PinBudget(versions: nil, age: nil, bytes: 300_000, action: .refuseWrites),
  ])
  func exceededBudgetRefusesWrites(_ budget: Realm.PinBudget) throws {
    try withTemporaryRealm({ $0.pinBudget = budget }) { realm, _ in
      try grow(realm, versions: 5)
      var frozen: Results<Buoy>? = realm.objects(Buoy.self).freeze()
      let error = thrownError { try grow(realm, versions: 10) }
      #expect(error?.code == .pinBudgetExceeded)
      #expect(error?.details.count == 1)
      let detail = error?.details.first ?? ""
      #expect(detail.contains("a frozen value of VarveTests/PinBudgetTests.swift:"))
      #expect(frozen?.count == 1)
      frozen = nil
      try grow(realm, versions: 1)
      #expect(realm.objects(Buoy.self).count == 1)
    }
  }

  @Test func refusedWriteNamesPinningProcess() throws {
    let budget = Realm.PinBudget(versions: 2, action: .refuseWrites)
    try withTemporaryRealm({ $0.pinBudget = budget }) { realm, store in
      try grow(realm, versions: 1)
      let process = pinningProcess(store)
      let error = thrownError { try grow(realm, versions: 5) }
      #expect(error?.code == .pinBudgetExceeded)
      #expect(error?.details.first?.contains("process \(process.pid)") == true)
      // The reader slot of a process that died without closing is no pin.
      process.kill()
      let deadline = ContinuousClock.now + .seconds(30)
      while errorCode({ try grow(realm, versions: 1) }) != nil {
        try #require(ContinuousClock.now < deadline)
        usleep(10_000)
      }
    }
  }

  @Test func lateObserverLosesVersionInsteadOfRefusingWrites() throws {
    let budget = Realm.PinBudget(versions: 2, age: nil, bytes: nil, action: .refuseWrites)
    try withTemporaryRealm({ $0.pinBudget = budget }) { realm, store in
      try grow(realm, versions: 1)
      let queue = DispatchQueue(label: "test")
      let events = EventRecorder<String>()
      // The realm performs the writes and moves with them, so only the observer pins the old
      // version.
      let token = try realm.objects(Buoy.self).observe(on: queue) { change in
        if case .initial = change { events.note("initial") } else { events.note("update") }
      }
      _ = events.wait(for: 1)
      queue.suspend()
      do {
        defer { queue.resume() }
        try grow(realm, versions: 10)
      }
      #expect(events.wait(for: 2) == ["initial", "initial"])
      token.invalidate()
    }
  }

  @Test func pinPastBudgetIsLoggedOnce() throws {
    let log = RecordedLog(level: .warning)
    try withTemporaryRealm({
      $0.pinBudget = Realm.PinBudget(versions: 2)
      $0.logger = log.logger
    }) { realm, store in
      try grow(realm, versions: 1)
      let frozen = realm.freeze()
      let core = try store.configuration.store()
      try grow(realm, versions: 2)
      core.tidy()
      try grow(realm, versions: 1)
      for _ in 0..<3 { core.tidy() }
      try grow(realm, versions: 1)
      core.tidy()
      let lines = log.lines.wait(for: 1)
      usleep(50_000)
      #expect(log.lines.all.count == 1)
      let warning = "warning A pinned version has used up the pin budget."
      #expect(lines.first?.hasPrefix(warning) == true)
      #expect(lines.first?.contains("PinBudgetTests.swift:") == true)
      #expect(lines.first?.contains(store.path) == true)
      withExtendedLifetime(frozen) {}
    }
  }

  @Test func inspectingPinsPinsNothing() throws {
    try withTemporaryRealm { realm, store in
      try grow(realm, versions: 1)
      try realm.write { realm.create(Tally.self, value: ["id": 1]) }
      let core = try store.configuration.store()
      // Another process commits, so this process releases the snapshot that it caches for the next
      // reader.
      let process = TestProcess(["viewIncrement", store.path, "1", "1"])
      _ = process.line()
      process.go()
      #expect(process.line() == "done")
      process.wait()
      core.tidy()
      core.tidy()
      let readers = try core.environment.readers()
      let newest = try core.environment.newestCommit().transactionID
      let own = readers.filter { $0.pid == getpid() && $0.transactionID != nil }
      // Only the pin of the open realm remains, and the newest version, which the notifier reads to
      // move the realm when it is idle.
      #expect(own.filter { $0.transactionID != newest }.count == 1)
    }
  }

  @Test func configuredLoggerDeterminesLogLevel() throws {
    let log = RecordedLog(level: .critical)
    try withTemporaryRealm({ $0.logger = log.logger }) { realm, _ in
      let buoy = try realm.write { realm.create(Buoy.self, value: ["id": 1]) }
      try realm.write { realm.delete(buoy) }
      #expect(buoy.name.isEmpty)
      usleep(50_000)
      #expect(log.lines.all.isEmpty)
    }
    let loud = RecordedLog(level: .warning)
    try withTemporaryRealm({ $0.logger = loud.logger }) { realm, store in
      let buoy = try realm.write { realm.create(Buoy.self, value: ["id": 1]) }
      try realm.write { realm.delete(buoy) }
      #expect(buoy.name.isEmpty)
      let line = loud.lines.wait(for: 1).first ?? ""
      #expect(line.contains("A deleted or invalidated object was read"))
      #expect(line.contains(store.path))
    }
  }
}
