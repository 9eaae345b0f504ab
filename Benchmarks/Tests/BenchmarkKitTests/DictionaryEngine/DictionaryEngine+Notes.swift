import BenchmarkKit

extension DictionaryEngine: SearchEngine {
  func insertNotes(_ texts: [String], from first: Int, perTransaction: Int) throws {
    store.write { contents in
      for index in kept(texts.indices) { contents.notes[first + index] = texts[index] }
    }
  }

  func makeNoteReader() throws -> any NoteReader { reader }
}

/// Examines each text. All texts with a word are equally relevant.
extension DictionaryReader: NoteReader {
  func search(_ words: [String], limit: Int) throws -> [[FoundNote]] {
    words.map { word in
      ids(word).prefix(limit).map {
        FoundNote(id: $0, length: answer(contents.notes[$0]?.utf8.count ?? 0))
      }
    }
  }

  func noteIDs(withWord word: String) throws -> [Int] { ids(word).map { answer($0) } }

  private func ids(_ word: String) -> [Int] {
    if Kind.flaw == .forgetsWords { return [] }
    return contents.notes.filter { $0.value.split(separator: " ").contains { $0 == word } }
      .map(\.key).sorted()
  }
}
