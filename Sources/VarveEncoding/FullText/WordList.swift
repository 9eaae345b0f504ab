/// The words of a text in the order of their bytes, each once, with its number of occurrences.
package struct WordList: Sendable {
  /// The bytes of all words. They may contain other bytes too.
  let bytes: [UInt8]
  let words: [WordRange]
  let counts: [UInt32]

  package static let empty = WordList(bytes: [], words: [], counts: [])

  init(bytes: [UInt8], words: [WordRange], counts: [UInt32]) {
    self.bytes = bytes
    self.words = words
    self.counts = counts
  }

  /// Sorts and counts words.
  ///
  /// - Parameters:
  ///   - bytes: The words, one after another, each as in ``WordRange``.
  ///   - ends: The end of each word.
  /// - Complexity: O(n log n).
  package init(bytes: [UInt8], ends: [Int]) {
    var words: [WordRange] = []
    var counts: [UInt32] = []
    words.reserveCapacity(ends.count)
    bytes.withUnsafeBytes { bytes in
      var start = 0
      for end in ends {
        words.append(WordRange(start..<end, of: bytes))
        start = end
      }
      words.sort { $0.order($1, in: bytes) < 0 }
      counts.reserveCapacity(words.count)
      for index in words.indices {
        let word = words[index]
        if !counts.isEmpty, words[counts.count - 1].order(word, in: bytes) == 0 {
          counts[counts.count - 1] &+= 1
        } else {
          words[counts.count] = word
          counts.append(1)
        }
      }
    }
    words.removeSubrange(counts.count...)
    self.init(bytes: bytes, words: words, counts: counts)
  }

  package var count: Int { words.count }
  package var isEmpty: Bool { words.isEmpty }

  /// Calls `body` with each word and its number of occurrences.
  package func forEach<E: Error>(
    _ body: (_ word: UnsafeRawBufferPointer, _ count: UInt32) throws(E) -> Void
  ) throws(E) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(E) in
      let bytes = UnsafeRawBufferPointer(buffer)
      for (word, count) in zip(words, counts) { try body(word.bytes(in: bytes), count) }
    }
  }

  /// The number of occurrences of a word; 0 if the text does not contain it.
  ///
  /// - Complexity: O(log n).
  package func count(of word: UnsafeRawBufferPointer) -> UInt32 {
    bytes.withUnsafeBytes { bytes in
      var (low, high) = (0, words.count)
      while low < high {
        let middle = (low + high) / 2
        let order = ByteOrder.compare(words[middle].bytes(in: bytes), word)
        if order == 0 { return counts[middle] }
        if order < 0 { low = middle + 1 } else { high = middle }
      }
      return 0
    }
  }
}
