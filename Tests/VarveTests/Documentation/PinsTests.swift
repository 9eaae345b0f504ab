import Testing
import Varve

/// The example of `Docs/Pins.md`.
@Suite struct PinsTests {
  @Test func reportListsPins() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(DocumentationModels.Person(value: ["id": 1])) }
      let frozen = realm.freeze()
      try realm.write { realm.add(DocumentationModels.Person(value: ["id": 2])) }
      print(try realm.storageReport())
      let text = "\(try realm.storageReport())"
      #expect(text.contains("frozenValue at VarveTests/PinsTests.swift"))
      withExtendedLifetime(frozen) {}
    }
  }
}
