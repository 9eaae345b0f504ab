/// Changes of the postings of many words and texts.
///
/// Texts are added in ascending order of their object ids, each once. After ``sort()`` the changes
/// of a word are ascending by object id.
package struct PostingChanges {
  private struct Change {
    var word: WordRange
    /// The index of the object id.
    var text: UInt32
    /// The number of occurrences; 0 to remove the posting.
    var count: UInt32
  }

  private var bytes: [UInt8] = []
  private var ids: [UInt64] = []
  private var changes: [Change] = []

  package init() {}

  package var isEmpty: Bool { changes.isEmpty }
  package var count: Int { changes.count }

  /// The memory in use.
  package var byteCount: Int { bytes.count + changes.count * MemoryLayout<Change>.stride }

  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ids.removeAll(keepingCapacity: true)
    changes.removeAll(keepingCapacity: true)
  }

  /// Adds a text.
  ///
  /// - Parameters:
  ///   - words: The words of which postings are stored.
  ///   - removed: The words of which postings are removed, except those among `words`.
  package mutating func add(_ id: UInt64, _ words: WordList, removed: WordList = .empty) {
    let text = UInt32(ids.count)
    ids.append(id)
    let offset = UInt32(bytes.count)
    bytes.append(contentsOf: words.bytes)
    for (word, count) in zip(words.words, words.counts) {
      changes.append(Change(word: word.moved(by: offset), text: text, count: count))
    }
    removed.forEach { word, _ in
      guard words.count(of: word) == 0 else { return }
      let start = bytes.count
      bytes.append(contentsOf: word)
      let range = bytes.withUnsafeBytes { WordRange(start..<start + word.count, of: $0) }
      changes.append(Change(word: range, text: text, count: 0))
    }
  }

  /// - Complexity: O(n log n).
  package mutating func sort() {
    bytes.withUnsafeBytes { bytes in
      changes.sort {
        let order = $0.word.order($1.word, in: bytes)
        return order != 0 ? order < 0 : $0.text < $1.text
      }
    }
  }

  /// The end of the changes of the word whose first change is at an index.
  package func endOfWord(from start: Int) -> Int {
    bytes.withUnsafeBytes { bytes in
      let word = changes[start].word
      var end = start + 1
      while end < changes.count, changes[end].word.order(word, in: bytes) == 0 { end += 1 }
      return end
    }
  }

  /// Calls `body` with the word of a change.
  package func withWord(at index: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
    bytes.withUnsafeBytes { body(changes[index].word.bytes(in: $0)) }
  }

  /// The object id and the number of occurrences of a change; 0 removes the posting.
  package subscript(index: Int) -> Posting {
    Posting(id: ids[Int(changes[index].text)], count: changes[index].count)
  }
}
