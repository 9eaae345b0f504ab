/// Stores texts with a full-text index.
package protocol SearchEngine: Engine {
  /// Stores new texts with ascending ids. The last transaction may be smaller.
  ///
  /// - Parameters:
  ///   - texts: The texts.
  ///   - first: The id of the first text.
  ///   - perTransaction: The number of texts in a transaction.
  func insertNotes(_ texts: [String], from first: Int, perTransaction: Int) throws

  /// Creates a reader of the currently committed version.
  func makeNoteReader() throws -> any NoteReader
}

/// Searches texts.
package protocol NoteReader {
  /// Searches words one after another, each with a separate query.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - limit: The maximum number of texts.
  /// - Returns: For each word, the texts that contain it, the most relevant first by the store's own
  ///   measure. Each text is read.
  func search(_ words: [String], limit: Int) throws -> [[FoundNote]]

  /// The ids of the texts that contain a word, in ascending order. This is not part of any measured
  /// work.
  func noteIDs(withWord word: String) throws -> [Int]
}

/// A text that contains a word.
package struct FoundNote: Equatable, Sendable {
  package var id: Int
  /// The number of bytes of the text.
  package var length: Int

  package init(id: Int, length: Int) {
    self.id = id
    self.length = length
  }
}
