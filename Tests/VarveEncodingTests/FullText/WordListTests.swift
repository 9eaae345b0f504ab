import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct WordListTests {
  @Test func wordsAreSortedAndCounted() {
    let words = WordList(["b", "a", "ab", "b", "abcdefghi", "abcdefgh", "b", "é"])
    #expect(words.all.map(\.word) == ["a", "ab", "abcdefgh", "abcdefghi", "b", "é"])
    #expect(words.all.map(\.count) == [1, 1, 1, 1, 3, 1])
    #expect(words.count == 6 && !words.isEmpty)
    #expect(WordList([]).isEmpty && WordList.empty.count == 0)
  }

  @Test func randomWordsMatchDictionary() {
    var random = SeededRandom()
    for _ in 0..<200 {
      let words = (0..<random.below(80)).map { _ in
        (0..<1 + random.below(20)).map { _ in random.pick(["a", "b", "é", "\u{7F}", "日"]) }
          .joined()
      }
      let model = words.reduce(into: [:]) { $0[$1, default: 0] += 1 as UInt32 }
      let list = WordList(words)
      let sorted = model.keys.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
      #expect(list.all.map(\.word) == sorted, "\(random)")
      for (word, count) in model {
        #expect(Array(word.utf8).lend { list.count(of: $0) } == count, "\(random)")
      }
      #expect(Array("absent".utf8).lend { list.count(of: $0) } == 0)
    }
  }

  /// Changes of several texts are ordered by word, then by object.
  @Test func changesAreOrderedByWord() {
    var changes = PostingChanges()
    changes.add(4, WordList(["b", "a", "b"]))
    changes.add(9, WordList(["a"]), removed: WordList(["a", "c"]))
    changes.add(.max, WordList([]), removed: WordList(["b"]))
    changes.sort()
    var found: [String] = []
    var start = 0
    while start < changes.count {
      let end = changes.endOfWord(from: start)
      for index in start..<end {
        changes.withWord(at: index) {
          let change = changes[index]
          found.append("\(String(decoding: $0, as: UTF8.self)) \(change.id) \(change.count)")
        }
      }
      start = end
    }
    #expect(found == ["a 4 1", "a 9 1", "b 4 2", "b \(UInt64.max) 0", "c 9 0"])
    changes.removeAll()
    #expect(changes.isEmpty && changes.byteCount == 0)
  }
}
