import Foundation
import Testing
import Varve
import VarveJSONLines

/// Pins are reported with the caller's source location, not a location inside the library.
@Suite struct PinCallSiteTests {
  private func callSites(_ realm: Realm) throws -> [String] {
    try realm.storageReport().versions.filter { $0.distance > 0 }.flatMap(\.holders)
      .filter { $0.kind == .frozenValue }.map { $0.place ?? "-" }
  }

  private static let lineOfFreezing = #line + 1
  private func frozen<T: ThreadConfined>(_ value: T) -> T { value.freeze() }

  @Test func freezeThroughProtocolRecordsCallSite() throws {
    try withTemporaryRealm { realm, _ in
      try grow(realm, versions: 1)
      let frozen = frozen(realm.objects(Buoy.self))
      try grow(realm, versions: 1)
      #expect(try callSites(realm) == ["VarveTests/PinCallSiteTests.swift:\(Self.lineOfFreezing)"])
      withExtendedLifetime(frozen) {}
    }
  }

  @Test func changesSinceRecordsCallSite() throws {
    try withTemporaryRealm { realm, _ in
      try grow(realm, versions: 1)
      let line = #line + 1
      let changes = try realm.changes(since: realm)
      try grow(realm, versions: 1)
      #expect(try callSites(realm) == ["VarveTests/PinCallSiteTests.swift:\(line)"])
      withExtendedLifetime(changes) {}
    }
  }

  @Test func exportRecordsCallSite() throws {
    try withTemporaryRealm { realm, store in
      try grow(realm, versions: 1)
      var found: [String] = []
      let line = #line + 1
      try realm.exportJSONLines(to: store.directory.appending(path: "text")) { _, _ in
        try grow(realm, versions: 1)
        found = try callSites(realm)
      }
      #expect(found == ["VarveTests/PinCallSiteTests.swift:\(line)"])
    }
  }
}
