import Foundation
import Hummingbird
import Varve

struct NoteRoutes {
  let configuration: Realm.Configuration

  func add(to router: Router<BasicRequestContext>) {
    router.get("notes", use: list)
    router.get("notes/:id", use: get)
    router.post("notes", use: create)
    router.delete("notes/:id", use: delete)
  }

  /// `GET /notes?q=milk`: the newest notes, or those with all words of `q`.
  @Sendable func list(_ request: Request, _ context: BasicRequestContext) throws -> [NoteJSON] {
    var notes = try Realm(configuration: configuration).objects(Note.self)
    if let words = request.uri.queryParameters.get("q") {
      notes = notes.where { $0.text.fullTextSearch(words) }
    }
    return notes.sorted(by: \.id, ascending: false).limit(20).map(NoteJSON.init)
  }

  @Sendable func get(_ request: Request, _ context: BasicRequestContext) throws -> NoteJSON {
    NoteJSON(try note(context, in: Realm(configuration: configuration)))
  }

  @Sendable func create(
    _ request: Request, _ context: BasicRequestContext
  ) async throws -> EditedResponse<NoteJSON> {
    let new = try await request.decode(as: NewNoteJSON.self, context: context)
    let realm = try Realm(configuration: configuration)
    let note = try await realm.write {
      let note = Note(text: new.text, created: .now)
      realm.add(note)
      return NoteJSON(note)
    }
    return EditedResponse(status: .created, response: note)
  }

  @Sendable func delete(
    _ request: Request, _ context: BasicRequestContext
  ) async throws -> HTTPResponse.Status {
    let realm = try Realm(configuration: configuration)
    try await realm.write { realm.delete(try note(context, in: realm)) }
    return .noContent
  }

  private func note(_ context: BasicRequestContext, in realm: Realm) throws -> Note {
    let id = try context.parameters.require("id", as: Int.self)
    guard let note = realm.object(ofType: Note.self, forPrimaryKey: id) else {
      throw HTTPError(.notFound)
    }
    return note
  }
}
