import Foundation
import Testing
import Varve

@Suite struct BadConfigurationTests {
  @Test(
    arguments: [
      "https://example.org/tmp/a.varve", "a.varve", "data:text/plain,a",
      "file://server/tmp/a.varve", "file:///tmp/a%00b.varve", "file:///tmp/a%FFb.varve",
    ])
  func nonlocalURLIsRejected(_ text: String) throws {
    let url = try #require(URL(string: text))
    let error = thrownError { try Realm(fileURL: url) }
    #expect(error?.code == .fileAccess)
    #expect(error?.path == url.absoluteString)
    let configuration = Realm.Configuration(fileURL: url)
    let read = thrownError {
      var readOnly = configuration
      readOnly.readOnly = true
      _ = try Realm(configuration: readOnly)
    }
    #expect(read?.code == .fileAccess)
    // The store is not open, so there is nothing to close.
    try Realm.close(configuration)
  }

  @Test func pathWithNULIsRejected() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let url = store.directory.appending(path: "a\0b.varve")
    expectError(.fileAccess) { try Realm(fileURL: url) }
    let names = try FileManager.default.contentsOfDirectory(atPath: store.directory.path)
    #expect(names.isEmpty)
  }

  @Test func equivalentFileURLsOpenSameStore() throws {
    try withTemporaryRealm { realm, store in
      let path = store.path
      for text in ["file://\(path)", "file://localhost\(path)", "file:///\(path)"] {
        var configuration = store.configuration
        configuration.fileURL = URL(string: text)
        let opened = try Realm(configuration: configuration)
        #expect(opened == realm)
      }
    }
  }

  @Test func errorPathIsNormalized() throws {
    let error = thrownError { try Realm(fileURL: URL(filePath: "//tmp//no-such-place///a.varve")) }
    #expect(error?.code == .fileNotFound)
    #expect(error?.path == "/tmp/no-such-place/a.varve")
  }

  @Test func negativePinBudgetIsRejected() throws {
    for change: (inout Realm.Configuration) -> Void in [
      { $0.pinBudget.age = .milliseconds(-1) }, { $0.pinBudget.bytes = -1 },
      { $0.pinBudget.versions = -1 },
    ] {
      let store = try TemporaryRealm(change)
      defer { store.remove() }
      let error = thrownError { try store.open() }
      #expect(error?.code == .invalidInput && error?.path == store.path)
    }
  }

  @Test(arguments: [-1, 0, .min, .max, (128 << 40) + 1])
  func invalidMapReservationIsRejected(_ size: Int) throws {
    let store = try TemporaryRealm { $0.mapReservation = size }
    defer { store.remove() }
    let error = thrownError { try store.open() }
    #expect(error?.code == .invalidInput)
    #expect(error?.value == "\(size)" && error?.path == store.path)
    let names = try FileManager.default.contentsOfDirectory(atPath: store.directory.path)
    #expect(names.isEmpty)
  }

  @Test func mapReservationBeyondAddressSpaceThrows() throws {
    let store = try TemporaryRealm { $0.mapReservation = 128 << 40 }
    defer { store.remove() }
    expectError(.addressSpaceExhausted) { try store.open() }
  }

  @Test func smallMapReservationIsRaised() throws {
    try withTemporaryRealm({ $0.mapReservation = 1 }) { realm, _ in
      for id in 0..<100 { try realm.write { realm.add(Crate(id, numbers: 0..<500)) } }
      #expect(realm.objects(Crate.self).count == 100)
    }
  }
}
