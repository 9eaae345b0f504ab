import Foundation
import Testing
import Varve

/// The examples of the article “Several processes”, and its statements about files.
@Suite struct SeveralProcessesTests {
  private typealias Person = DocumentationModels.Person

  @Test func busyErrorNamesWriter() async throws {
    try await withTemporaryRealm {
      $0.writeTimeout = .milliseconds(20)
    } _: { realm, store in
      try DocumentationModels.addPeople(to: realm)
      let ada = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
      var printed = Printed()
      func print(_ items: Any...) { printed.add(items) }

      let held = OpenWrite(store.configuration)
      do {
        try await realm.write { ada.age += 1 }
      } catch let error as Realm.Error where error.code == .busy {
        print("Process \(error.processID ?? 0) is writing.")
      }
      held.end()
      #expect(printed.lines == ["Process \(ProcessInfo.processInfo.processIdentifier) is writing."])
    }
  }

  @Test func deletedFileIsReadOnly() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    try DocumentationModels.addPeople(to: try store.open())
    try FileManager.default.removeItem(atPath: store.path)
    let realm = try store.open()
    #expect(realm.objects(Person.self).count == 2)
    #expect(try realm.refresh() == false)
    expectError(.fileAccess) { try realm.write { realm.deleteAll() } }
    #expect(!FileManager.default.fileExists(atPath: store.path))
    try Realm.close(store.configuration)
  }

  @Test func replacementFileIsReadAfterClosing() throws {
    let store = try TemporaryRealm()
    let other = try TemporaryRealm(name: "other.varve")
    defer {
      store.remove()
      other.remove()
    }
    do {
      try DocumentationModels.addPeople(to: try store.open())
      _ = try other.open()
      try other.close()
    }
    let configuration = store.configuration
    try FileManager.default.copyItem(
      atPath: other.path, toPath: store.path + "-new")
    #expect(rename(store.path + "-new", store.path) == 0)

    do {
      let realm = try store.open()
      #expect(realm.objects(Person.self).count == 2)
      expectError(.fileAccess) { try realm.write { realm.deleteAll() } }
      try Realm.close(configuration)
      // The realm still reads the old file.
      expectError(.fileAccess) { try Realm(configuration: configuration) }
      #expect(realm.objects(Person.self).count == 2)
    }

    try Realm.close(configuration)
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Person.self).isEmpty)
    try DocumentationModels.addPeople(to: realm)
    try store.close()
  }
}
