package import BenchmarkKit
import Varve

extension VarveEngine: SearchEngine {
  package func insertNotes(_ texts: [String], from first: Int, perTransaction: Int) throws {
    let realm = try Realm(configuration: configuration)
    try Self.inTransactions(texts.indices, perTransaction, of: realm) { indices in
      for index in indices { realm.add(StoredNote(id: first + index, texts[index])) }
    }
  }

  package func makeNoteReader() throws -> any NoteReader {
    VarveNoteReader(realm: try Realm(configuration: configuration))
  }
}

private struct VarveNoteReader: NoteReader {
  let realm: Realm

  func search(_ words: [String], limit: Int) throws -> [[FoundNote]] {
    let notes = realm.objects(StoredNote.self)
    return words.map { word in
      notes.search(word, in: \.body, limit: limit).map {
        FoundNote(id: $0.object.id, length: $0.object.body.utf8.count)
      }
    }
  }

  func noteIDs(withWord word: String) throws -> [Int] {
    realm.objects(StoredNote.self).where { $0.body.fullTextSearch(word) }.map(\.id).sorted()
  }
}
