import Foundation
import Testing
import Varve
import VarveTestSupport

/// A release that renames a property through a mapping, running concurrently with a process of the
/// previous release.
@Suite struct AliasProcessesTests {
  enum Renamed {
    @Model final class Crate: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var label = ""
      @Persisted var mass: Double
      @Persisted var numbers: List<Int>

      override class func propertiesMapping() -> [String: String] { ["mass": "weight"] }
    }
  }

  @Test func bothReleasesAccessSameProperty() throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let process = TestProcess(["realmCount", store.path, "300", "1"])
    #expect(process.line() == "ready")
    let realm = try store.open()
    let changes = EventRecorder<ObservedChange>()
    let token = try realm.objects(Renamed.Crate.self).observe(keyPaths: ["mass"]) {
      changes.note(ObservedChange($0))
    }
    process.go()
    for number in 1...300 {
      try realm.write {
        let crate = realm.create(Renamed.Crate.self, value: ["id": 2], update: .modified)
        crate.mass += 1
        crate.label = "\(number)"
      }
    }
    #expect(process.line()?.hasPrefix("strangers") == true)
    process.wait()
    try realm.refresh()
    let masses = realm.objects(Renamed.Crate.self).sorted(by: \.id).map(\.mass)
    #expect(masses == [300, 300])
    #expect(realm.objects(Renamed.Crate.self).where { $0.mass == 300 }.count == 2)
    let old = try realm.dynamicObjects("Crate").sorted(byKeyPath: "id").map {
      $0["weight"] as? Double
    }
    #expect(old == [300, 300])
    // Names as text mean the same after commits of the other process.
    for realm in [realm, realm.freeze()] {
      let crates = realm.objects(Renamed.Crate.self)
      let (declared, stored) = ("mass = 300", "weight = 300")
      #expect(try crates.filter(declared).count == 2)
      #expect(crates.sorted(byKeyPath: "mass").count == 2)
      #expect(try crates.sum(ofProperty: "mass") as Double == 600)
      expectError(.unknownProperty) { try crates.filter(stored) }
    }
    #expect(changes.wait(for: 2).count > 1)
    token.invalidate()
  }
}
