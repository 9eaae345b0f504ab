import Foundation
import Testing
import Varve
import VarveTestSupport

@Suite struct PinnedVersionTests {
  /// The oldest version pinned by this process.
  private func oldest(_ realm: Realm) throws -> Realm.PinnedVersion? {
    try realm.storageReport().versions.first {
      $0.processID == ProcessInfo.processInfo.processIdentifier && $0.distance > 0
    }
  }

  private func pin(of process: TestProcess, _ realm: Realm) throws -> Realm.PinnedVersion? {
    try realm.storageReport().versions.first { $0.processID == process.pid }
  }

  private func versionsWritten(_ realm: Realm) throws -> [UInt64] {
    try realm.storageReport().versions.filter { $0.holders.contains { $0.kind == .write } }
      .map(\.number)
  }

  @Test func frozenValuesAreReportedWithCallSite() throws {
    try withTemporaryRealm { realm, _ in
      try grow(realm, versions: 1)
      let number = realm.version.number
      let line = #line + 1
      let frozen = [realm.objects(Buoy.self).freeze(), realm.objects(Buoy.self).freeze()]
      let object = try #require(frozen[0].first)
      try grow(realm, versions: 3)
      let pin = try #require(try oldest(realm))
      #expect(pin.number == number && pin.distance == 3)
      #expect(pin.holders.count == 1)
      let holder = try #require(pin.holders.first)
      #expect(holder.kind == .frozenValue && holder.count == 2)
      #expect(holder.place == "VarveTests/PinnedVersionTests.swift:\(line)")
      withExtendedLifetime((frozen, object)) {}
    }
  }

  @Test func objectReadFromFrozenRealmKeepsPin() throws {
    try withTemporaryRealm { realm, _ in
      try grow(realm, versions: 1)
      var object = realm.freeze().objects(Buoy.self).first
      try grow(realm, versions: 1)
      #expect(try oldest(realm)?.holders.map(\.count) == [1])
      #expect(object?.id == 1)
      object = nil
      #expect(try oldest(realm) == nil)
    }
  }

  @Test func openRealmsAndObserversAreReported() throws {
    try withTemporaryRealm { realm, store in
      try grow(realm, versions: 1)
      let open = [try store.open(), try store.open()]
      let results = open[0].objects(Buoy.self)
      let queue = DispatchQueue(label: "test")
      let events = EventRecorder<Int>()
      let token = try results.observe(on: queue) { _ in events.note(1) }
      _ = events.wait(for: 1)
      queue.suspend()
      defer { queue.resume() }
      try grow(realm, versions: 1)
      let pin = try #require(try oldest(realm))
      let counts = Dictionary(grouping: pin.holders, by: \.kind).mapValues { $0.map(\.count) }
      #expect(counts[.openRealm] == [2] && counts[.observer] == [1])
      let subjects = pin.holders.compactMap(\.subject)
      #expect(subjects.count == 1 && subjects.first?.contains("Buoy") == true)
      token.invalidate()
      withExtendedLifetime(open) {}
    }
  }

  @Test func writeInProgressIsReported() throws {
    try withTemporaryRealm { realm, _ in
      try grow(realm, versions: 1)
      let number = realm.version.number
      try realm.write {
        let versions = try versionsWritten(realm)
        #expect(versions == [number])
      }
      #expect(try versionsWritten(realm).isEmpty)
    }
  }

  @Test func storageReportAccountsForAllBytes() throws {
    try withTemporaryRealm { realm, store in
      try grow(realm, versions: 20)
      let before = try realm.storageReport()
      #expect(before.pinnedBytes == 0)
      #expect(before.totalBytes == before.liveBytes + before.freeBytes)
      #expect(before.liveBytes > 100_000 && before.liveBytes < 400_000)
      #expect(before.newestVersion == realm.version.number)
      let frozen = realm.freeze()
      try grow(realm, versions: 20)
      let pinned = try realm.storageReport()
      #expect(pinned.pinnedBytes > 20 * 100_000)
      #expect(pinned.totalBytes == pinned.liveBytes + pinned.freeBytes + pinned.pinnedBytes)
      #expect(pinned.totalBytes > before.totalBytes + 15 * 100_000)
      #expect(try oldest(realm)?.pinnedBytes == pinned.pinnedBytes)
      #expect("\(pinned)".contains("frozenValue at VarveTests/PinnedVersionTests.swift"))
      withExtendedLifetime(frozen) {}
    }
  }

  @Test func unpinnedBytesBecomeFree() throws {
    try withTemporaryRealm { realm, _ in
      try grow(realm, versions: 5)
      do {
        let frozen = realm.freeze()
        try grow(realm, versions: 20)
        withExtendedLifetime(frozen) {}
      }
      let report = try realm.storageReport()
      #expect(report.pinnedBytes == 0 && report.freeBytes > 15 * 100_000)
      try grow(realm, versions: 10)
      #expect(try realm.storageReport().totalBytes <= report.totalBytes)
    }
  }

  @Test func ageCountsFromNextVersion() throws {
    try withTemporaryRealm { realm, _ in
      try grow(realm, versions: 1)
      let frozen = realm.freeze()
      usleep(200_000)
      let ages = try realm.storageReport().versions.map(\.age)
      #expect(Set(ages) == [.zero])
      let start = ContinuousClock.now
      // Many commits: the signal page records only some of them.
      try grow(realm, versions: 300, bytes: 10)
      usleep(100_000)
      let limit = start.duration(to: .now)
      let age = try #require(try oldest(realm)?.age)
      #expect(age >= .milliseconds(100) && age <= limit + .milliseconds(50))
      withExtendedLifetime(frozen) {}
    }
  }

  @Test func pinsOfAnotherProcessAreReported() throws {
    try withTemporaryRealm { realm, store in
      try grow(realm, versions: 1)
      let process = pinningProcess(store)
      let number = realm.version.number
      try grow(realm, versions: 4)
      let pin = try #require(try pin(of: process, realm))
      #expect(pin.number == number && pin.distance == 4 && pin.holders.isEmpty)
      let age = try #require(pin.age)
      #expect(pin.pinnedBytes > 300_000 && age > .zero)
      process.go()
      process.wait()
      #expect(try self.pin(of: process, realm) == nil)
    }
  }

  @Test func writeInAnotherProcessIsReported() throws {
    try withTemporaryRealm { realm, store in
      try grow(realm, versions: 1)
      let process = TestProcess(["hold", store.path])
      #expect(process.line() == "held")
      let pin = try #require(try pin(of: process, realm))
      #expect(pin.holders.map(\.kind) == [.write] && pin.distance == 0)
      process.go()
      process.wait()
    }
  }
}
