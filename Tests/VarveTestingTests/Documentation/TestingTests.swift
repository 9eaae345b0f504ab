import Foundation
import Testing
import Varve
import VarveTesting

// The examples of the article "Testing".

@Model final class Note: Object {
  @Persisted(primaryKey: true, autoIncrement: true) var id: Int
  @Persisted var text: String
}

func addNote(_ text: String) async throws {
  let realm = try Realm()
  try await realm.write { realm.add(Note(text: text)) }
}

@Suite(.temporaryRealm) struct NoteTests {
  @Test func noteIsAdded() async throws {
    try await addNote("Buy bread")
    let realm = try Realm()
    #expect(realm.objects(Note.self).first?.text == "Buy bread")
  }

  @Test(arguments: ["Buy bread", "", "Ünïcode"])
  func noteKeepsText(_ text: String) async throws {
    try await addNote(text)
    let realm = try Realm()
    #expect(realm.objects(Note.self).map(\.text) == [text])
  }
}

private enum App {
  static let configuration = Realm.Configuration(schemaVersion: 3, objectTypes: [Note.self])
}

@Suite struct ConfiguredTests {
  @Test(.temporaryRealm(in: .directory, configuration: App.configuration))
  func fileHasSchemaVersionOfApp() throws {
    let file = try #require(try Realm().configuration.fileURL)
    #expect(try schemaVersionAtURL(file) == 3)
  }

  @Test func notesAreNumbered() throws {
    try withTemporaryRealm { realm in
      let note = try realm.write { realm.create(Note.self, value: ["text": "Buy bread"]) }
      #expect(note.id == 1)
    }
  }
}
