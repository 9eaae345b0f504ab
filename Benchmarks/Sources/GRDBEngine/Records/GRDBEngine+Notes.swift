package import BenchmarkKit
import GRDB

extension GRDBEngine: SearchEngine {
  package func insertNotes(_ texts: [String], from first: Int, perTransaction: Int) throws {
    try pool.inTransactions(texts.indices, perTransaction) { db, indices in
      for index in indices { try NoteRecord(id: first + index, body: texts[index]).insert(db) }
    }
  }

  package func makeNoteReader() throws -> any NoteReader { GRDBNoteReader(pool: pool) }
}

private struct GRDBNoteReader: NoteReader {
  let pool: DatabasePool

  /// With the SQL that GRDB's documentation recommends for full-text search.
  func search(_ words: [String], limit: Int) throws -> [[FoundNote]] {
    try pool.read { db in
      try words.map { word in
        try NoteRecord.fetchAll(
          db,
          sql: """
            SELECT note.* FROM note JOIN noteText ON noteText.rowid = note.id
            AND noteText MATCH ? ORDER BY rank LIMIT ?
            """, arguments: [word, limit]
        ).map { FoundNote(id: $0.id, length: $0.body.utf8.count) }
      }
    }
  }

  func noteIDs(withWord word: String) throws -> [Int] { try pool.noteIDs(withWord: word) }
}
