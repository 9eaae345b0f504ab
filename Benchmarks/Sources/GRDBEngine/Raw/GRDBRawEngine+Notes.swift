package import BenchmarkKit
import GRDB

extension GRDBRawEngine: SearchEngine {
  package func insertNotes(_ texts: [String], from first: Int, perTransaction: Int) throws {
    try pool.inTransactions(texts.indices, perTransaction) { db, indices in
      let insertion = try db.cachedStatement(sql: "INSERT INTO note (id, body) VALUES (?, ?)")
      for index in indices {
        insertion.setUncheckedArguments([first + index, texts[index]])
        try insertion.execute()
      }
    }
  }

  package func makeNoteReader() throws -> any NoteReader { GRDBRawNoteReader(pool: pool) }
}

private struct GRDBRawNoteReader: NoteReader {
  let pool: DatabasePool

  func search(_ words: [String], limit: Int) throws -> [[FoundNote]] {
    try pool.read { db in
      let selection = try db.cachedStatement(
        sql: """
          SELECT note.id, note.body FROM noteText JOIN note ON note.id = noteText.rowid
          WHERE noteText MATCH ? ORDER BY rank LIMIT ?
          """)
      return try words.map { word in
        selection.setUncheckedArguments([word, limit])
        var found: [FoundNote] = []
        let rows = try Row.fetchCursor(selection)
        while let row = try rows.next() {
          let body: String = row[1]
          found.append(FoundNote(id: row[0], length: body.utf8.count))
        }
        return found
      }
    }
  }

  func noteIDs(withWord word: String) throws -> [Int] { try pool.noteIDs(withWord: word) }
}
