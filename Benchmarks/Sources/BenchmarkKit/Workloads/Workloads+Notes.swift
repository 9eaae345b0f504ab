/// T1: texts with a full-text index.
extension Workload {
  static let notes: [Workload] = [
    Workload("T1-add", "insert 50,000 texts of about 40 words, 1,000 per transaction", 50_000) {
      (engine: any SearchEngine, context) in
      let texts = Notes.texts(0..<context.count)
      return try context.time(Notes.ids(withWords: Notes.checkedWords, in: texts)) {
        try engine.insertNotes(texts, from: 0, perTransaction: 1000)
      } then: {
        try checkedIDs(engine)
      }
    },
    Workload(
      "T1-add-16", "add 3,200 texts to 50,000, 16 per durable commit", 3200, on: .notes,
      stored: 50_000, changesStore: true
    ) {
      (engine: any SearchEngine, context) in
      let (stored, count) = (context.stored, context.count)
      let texts = Notes.texts(stored..<stored + count)
      let all = Notes.texts(0..<stored) + texts
      return try context.time(Notes.ids(withWords: Notes.checkedWords, in: all)) {
        try engine.insertNotes(texts, from: stored, perTransaction: 16)
      } then: {
        try checkedIDs(engine)
      }
    },
    search("T1-search", "search words of all frequencies, first 20 texts by rank", 512) { $0 * 8 },
    search("T1-search-frequent", "search the most frequent words", 64) { $0 },
    search("T1-search-rare", "search the least frequent words", 512) { 4095 - $0 },
  ]

  /// The number of texts of a search.
  private static let limit = 20

  /// - Parameter index: The index of the word of a search.
  private static func search(
    _ name: String, _ summary: String, _ count: Int, _ index: @escaping @Sendable (Int) -> Int
  ) -> Workload {
    Workload(name, summary, count, on: .notes, stored: 50_000) {
      (engine: any SearchEngine, context) in
      let words = (0..<context.count).map { Issue.word(index($0)) }
      let texts = Notes.texts(0..<context.stored)
      let ids = Notes.ids(withWords: words, in: texts)
      let reader = try engine.makeNoteReader()
      var found: [[FoundNote]] = []
      let samples = try context.time(ids.map { min(limit, $0.count) }, times: 5) {
        found = try reader.search(words, limit: limit)
        return found.map(\.count)
      }
      for (notes, ids) in zip(found, ids) {
        let right = notes.count { ids.contains($0.id) && texts[$0.id].utf8.count == $0.length }
        try context.check(right, notes.count)
        try context.check(Set(notes.map(\.id)).count, notes.count)
      }
      try context.check(
        checkedIDs(engine), Notes.ids(withWords: Notes.checkedWords, in: texts))
      return samples
    }
  }

  private static func checkedIDs(_ engine: any SearchEngine) throws -> [[Int]] {
    let reader = try engine.makeNoteReader()
    return try Notes.checkedWords.map { try reader.noteIDs(withWord: $0) }
  }
}
