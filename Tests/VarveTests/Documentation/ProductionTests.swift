import Foundation
import Testing
import Varve

/// The examples of the article “Running in production”.
@Suite struct ProductionTests {
  @Test func backupIsCopyOfOneVersion() async throws {
    try await withDefaultRealm {
      let realm = try Realm()
      try DocumentationModels.addPeople(to: realm)
      try? FileManager.default.removeItem(
        at: FileManager.default.temporaryDirectory.appending(path: "backup.varve"))

      let backup = FileManager.default.temporaryDirectory.appending(path: "backup.varve")
      try await realm.writeCopy(toFile: backup)

      let configuration = Realm.Configuration(fileURL: backup)
      defer { _ = try? Realm.deleteFiles(for: configuration) }
      let copy = try Realm(configuration: configuration)
      #expect(copy.objects(DocumentationModels.Person.self).count == 2)
      try Realm.close(configuration)
    }
  }
}
