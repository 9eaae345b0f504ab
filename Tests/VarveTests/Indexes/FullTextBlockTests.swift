import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveStorage
import VarveTestSupport

/// The blocks of full-text indexes: how they are divided, joined and emptied.
@Suite struct FullTextBlockTests {
  private func ids(_ realm: Realm, _ words: String) -> [Int] {
    realm.objects(Essay.self).search(words, in: \.text).map(\.object.id).sorted()
  }

  private func blocks(_ store: TemporaryRealm, _ word: String) throws -> [StoredPostings] {
    try store.textBlocks().blocks.filter { $0.word == word }
  }

  /// Adds so many texts that all pending ones are merged.
  private func merge(_ realm: Realm, _ store: TemporaryRealm, from id: Int) throws {
    let count = PendingTextLimits.count + 1
    try realm.write { realm.addEssays(id..<id + count) { _ in "filler" } }
    // The last text exceeded the limit, unless others did before.
    #expect(try store.textBlocks().pendingCount < count)
  }

  @Test func appendedBlocksAreFull() throws {
    try withTemporaryRealm { realm, store in
      for start in stride(from: 0, to: 6000, by: 1000) {
        try realm.write { realm.addEssays(start..<start + 1000) { _ in "all" } }
      }
      let blocks = try blocks(store, "all")
      #expect(blocks.count > 3)
      #expect(blocks.dropLast().allSatisfy { $0.byteCount == PostingBlock.maximumBytes })
      #expect(ids(realm, "all") == Array(0..<6000))
    }
  }

  @Test(arguments: ["descending", "random"])
  func insertedBlocksAreDividedEvenly(_ order: String) throws {
    var random = SeededRandom()
    let all = Array(0..<5000)
    let order = order == "random" ? all.shuffled(using: &random) : all.reversed()
    try withTemporaryRealm { realm, store in
      for start in stride(from: 0, to: 5000, by: 1000) {
        try realm.write { realm.addEssays(order[start..<start + 1000]) { _ in "all" } }
      }
      let blocks = try blocks(store, "all")
      #expect(blocks.count > 3, "\(random)")
      #expect(blocks.dropLast().allSatisfy { $0.byteCount > 300 }, "\(random)")
      #expect(ids(realm, "all") == all, "\(random)")
      try store.check("\(random)")
    }
  }

  @Test func emptiedBlocksAreDeletedAndSmallOnesJoined() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.addEssays(0..<8000) { "all n\($0 % 40)" } }
      try merge(realm, store, from: 10_000)
      let before = try blocks(store, "all").count
      #expect(before >= 8)
      try realm.write {
        for id in 0..<8000 where id % 40 != 7 {
          if let essay = realm.object(ofType: Essay.self, forPrimaryKey: id) { realm.delete(essay) }
        }
      }
      try merge(realm, store, from: 20_000)
      let after = try blocks(store, "all")
      // 200 postings of 1 byte each.
      #expect(after.count <= 2 && after.flatMap(\.ids).count == 200)
      let words = try store.textBlocks().blocks.map(\.word)
      #expect(Set(words) == ["all", "filler", "n7"])
      #expect(ids(realm, "all") == ids(realm, "n7"))
      try realm.write { realm.delete(realm.objects(Essay.self).where { $0.id < 8000 }) }
      try merge(realm, store, from: 30_000)
      let left = try store.textBlocks().blocks.map(\.word)
      #expect(Set(left) == ["filler"])
      try store.check()
    }
  }

  /// A text that was merged, is then changed, changed back, deleted and added again.
  @Test func mergedTextIsReplacedByPendingText() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.addEssays(0..<3) { "old\($0) both" } }
      try merge(realm, store, from: 1000)
      #expect(try blocks(store, "both").flatMap(\.ids).count == 3)
      let essay = try #require(realm.object(ofType: Essay.self, forPrimaryKey: 1))
      func expect(_ words: [String], _ found: [[Int]], _ line: Int = #line) {
        for (word, expected) in zip(words, found) {
          #expect(ids(realm, word) == expected, "\(word) in line \(line)")
        }
      }
      let words = ["old1", "both", "new"]
      try realm.write {
        essay.text = "new both"
        expect(words, [[], [0, 1, 2], [1]])
      }
      expect(words, [[], [0, 1, 2], [1]])
      try store.check()
      try realm.write { essay.text = "old1" }
      expect(words, [[1], [0, 2], []])
      try realm.write { essay.text = nil }
      expect(words, [[], [0, 2], []])
      try store.check()
      try realm.write { realm.delete(essay) }
      expect(words, [[], [0, 2], []])
      try realm.write { realm.addEssays([1]) { _ in "new" } }
      expect(words, [[], [0, 2], [1]])
      try store.check()
      try merge(realm, store, from: 5000)
      expect(words, [[], [0, 2], [1]])
      #expect(try blocks(store, "old1").isEmpty)
      try store.check()
    }
  }

  @Test func textThatWasNeverMergedLeavesNothing() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.addEssays(0..<10) { "text \($0)" } }
      #expect(try store.textBlocks().pendingCount == 10)
      try realm.write { realm.deleteAll() }
      #expect(try store.count(.indexes) == 0)
    }
  }

  @Test func longTextIsMergedAtOnce() throws {
    try withTemporaryRealm { realm, store in
      let words = (0..<5000).map { "word\($0)" }
      try realm.write { realm.addEssays([7]) { _ in words.joined(separator: " ") } }
      #expect(try store.textBlocks().pendingCount == 0)
      #expect(try store.textBlocks().blocks.count == 5000)
      #expect(ids(realm, "word4999 word17") == [7])
      try realm.write { realm.object(ofType: Essay.self, forPrimaryKey: 7)?.text = "short" }
      // Its words were removed at once.
      #expect(try store.textBlocks().blocks.map(\.word) == ["short"])
      #expect(ids(realm, "short") == [7] && ids(realm, "word17").isEmpty)
      try store.check()
    }
  }

  @Test func keysAtBothEndsAreStored() throws {
    let keys = [Int.min, .min + 1, -1, 0, 1, .max - 1, .max]
    try withTemporaryRealm { realm, store in
      try realm.write { realm.addEssays(keys.shuffled()) { "edge \($0 < 0 ? "low" : "high")" } }
      #expect(ids(realm, "edge") == keys)
      try merge(realm, store, from: 1000)
      #expect(try blocks(store, "edge").flatMap(\.ids).count == keys.count)
      #expect(ids(realm, "edge") == keys && ids(realm, "edge low") == Array(keys.prefix(3)))
      try realm.write {
        realm.delete(realm.objects(Essay.self).where { $0.id.in([Int.min, 0, .max]) })
      }
      #expect(ids(realm, "edge") == [.min + 1, -1, 1, .max - 1])
      try merge(realm, store, from: 5000)
      #expect(ids(realm, "edge") == [.min + 1, -1, 1, .max - 1])
      try store.check()
    }
  }
}
