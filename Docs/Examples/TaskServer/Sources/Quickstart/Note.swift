import Foundation
import Hummingbird
import Varve

@Model final class Note: Object {
  @Persisted(primaryKey: true, autoIncrement: true) var id: Int
  @Persisted(fullText: true) var text: String
  @Persisted var created: Date
}

/// A note as JSON.
struct NoteJSON: ResponseCodable {
  var id: Int
  var text: String
  var created: Date

  init(_ note: Note) {
    id = note.id
    text = note.text
    created = note.created
  }
}

/// The body of a request that creates a note.
struct NewNoteJSON: Decodable {
  var text: String
}
