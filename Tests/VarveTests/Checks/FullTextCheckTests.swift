import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveStorage

/// Damage of full-text indexes: a check finds it, and readers do not trap.
@Suite struct FullTextCheckTests {
  private typealias Bytes = [UInt8]

  /// A store with two merged texts of each of a few words, one of them changed since, and with a
  /// text that was never merged.
  private func withStore(_ body: (TemporaryRealm, UInt32) throws -> Void) throws {
    let store = try TemporaryRealm()
    let realm = try store.open()
    try realm.write {
      realm.addEssays(0..<4) { "all even\($0 % 2)" }
      realm.addEssays(100..<100 + PendingTextLimits.count) { _ in "filler" }
    }
    #expect(try store.textBlocks().pendingCount < 4)
    try realm.write {
      realm.addEssays(50..<60) { "all late\($0)" }
      realm.object(ofType: Essay.self, forPrimaryKey: 3)?.text = "all changed"
    }
    #expect(try store.report().isSound)
    try body(store, try store.textIndexID())
    try Realm.close(store.configuration)
    store.remove()
  }

  private func id(_ key: Int) -> UInt64 { UInt64(bitPattern: Int64(key)) ^ 1 << 63 }

  private func pendingKey(_ index: UInt32, _ key: Int? = nil) -> Bytes {
    var bytes = OrderedKey()
    PostingKey.beginPending(&bytes, indexID: index)
    if let key { bytes.append(uint64: id(key)) }
    return bytes.bytes
  }

  private func blockKey(_ index: UInt32, _ word: String, _ key: Int) -> Bytes {
    var bytes = OrderedKey()
    Bytes(word.utf8).withUnsafeBytes { PostingKey.begin(&bytes, indexID: index, word: $0) }
    bytes.append(uint64: id(key))
    return bytes.bytes
  }

  private func block(_ postings: [(key: Int, count: UInt32)]) -> Bytes {
    var buffer = PostingBlockBuffer()
    for (key, count) in postings { _ = buffer.append(Posting(id: id(key), count: count)) }
    return buffer.withUnsafeBytes { Bytes($0) }
  }

  private func pendingText(_ text: String, removed: String = "") -> Bytes {
    var buffer = ByteBuffer()
    _ = PendingText.encode(
      FullText.words(of: text), removed: FullText.words(of: removed), into: &buffer)
    return buffer.bytes
  }

  /// The kinds of the problems after an entry was put, or deleted if the value is nil. Searches do
  /// not trap.
  private func kinds(
    _ change: (UInt32) -> (key: Bytes, value: Bytes?)
  ) throws -> Set<String> {
    var kinds: Set<String> = []
    try withStore { store, index in
      let (key, value) = change(index)
      try store.edit { transaction in
        try key.withUnsafeBytes { key in
          guard let value else {
            let isDeleted = try transaction.delete(.indexes, key: key)
            #expect(isDeleted)
            return
          }
          try value.withUnsafeBytes { try transaction.put(.indexes, key: key, $0) }
        }
      }
      let report = try store.report()
      kinds = Set(report.problems.map(\.kind.rawValue))
      let place = report.problems.map(\.place).allSatisfy { $0.contains("Essay") }
      #expect(place, "\(report)")
      let realm = try store.open()
      for words in ["all", "al*", "all filler", "all -even1", "changed even0", "fi* al*"] {
        let essays = realm.objects(Essay.self)
        _ = essays.search(words, in: \.text).count
        _ = essays.where { $0.text.fullTextSearch(words) }.count
      }
      // A merge fails, or does not trap.
      _ = thrownError {
        try realm.write {
          realm.addEssays(5000..<5100) { _ in "all filler even0 even1 changed" }
          for essay in realm.objects(Essay.self).where({ $0.id < 100 }) { essay.text = "filler" }
          realm.addEssays(6000..<6000 + PendingTextLimits.count) { _ in "all filler" }
        }
      }
    }
    return kinds
  }

  @Test func missingEntriesAreFound() throws {
    #expect(try kinds { (blockKey($0, "even0", 0), nil) } == ["missingIndexEntry"])
    // One posting is outdated.
    #expect(try kinds { (blockKey($0, "all", 0), nil) } == ["missingIndexEntry"])
    let kinds = try kinds { (pendingKey($0, 55), nil) }
    #expect(kinds == ["missingIndexEntry", "damagedIndexEntry"])
  }

  @Test func changedPostingsAreFound() throws {
    let key = { (index: UInt32) in blockKey(index, "even0", 0) }
    #expect(try kinds { (key($0), block([(0, 1), (2, 2)])) } == ["missingIndexEntry"])
    #expect(try kinds { (key($0), block([(0, 1)])) } == ["missingIndexEntry"])
    #expect(try kinds { (key($0), block([(0, 1), (2, 1), (77, 1)])) } == ["strayIndexEntry"])
    #expect(
      try kinds { (key($0), block([(0, 1), (3, 1)])) } == ["missingIndexEntry", "strayIndexEntry"])
    #expect(try kinds { (blockKey($0, "nowhere", 9), block([(9, 1)])) } == ["strayIndexEntry"])
  }

  @Test func damagedBlocksAreFound() throws {
    let key = { (index: UInt32) in blockKey(index, "even0", 0) }
    for value in [[], [0, 0, 1], [2, 0, 1], [1, 0, 1, 3], [1, 0, 0x81], [2, 0, 1, 1]] as [Bytes] {
      let kinds = try kinds { (key($0), value) }
      #expect(kinds == ["missingIndexEntry", "damagedIndexEntry"], "\(value)")
    }
    // Blocks that overlap.
    let overlapping = try kinds { (blockKey($0, "even0", 1), block([(1, 1)])) }
    #expect(overlapping.contains("damagedIndexEntry"))
    // A key without an object, and one without a word.
    #expect(try kinds { (Array(blockKey($0, "x", 1).dropLast()), [1]) } == ["damagedIndexEntry"])
    #expect(try kinds { (Array(blockKey($0, "x", 1).prefix(5)), [1]) } == ["damagedIndexEntry"])
  }

  @Test func damagedPendingTextsAreFound() throws {
    let sound = pendingText("all late55")
    for value in [Bytes(sound.dropLast()), sound + [0], [], [1, 2, 3]] {
      let kinds = try kinds { (pendingKey($0, 55), value) }
      #expect(kinds == ["missingIndexEntry", "damagedIndexEntry"], "\(value)")
    }
    var changed = sound
    changed[changed.count - 1] += 1
    #expect(try kinds { (pendingKey($0, 55), changed) }.contains("damagedIndexEntry"))
    // Another word of the same length.
    let other = try kinds { (pendingKey($0, 55), pendingText("all late56")) }
    #expect(other == ["missingIndexEntry"])
  }

  @Test func wrongTotalsAreFound() throws {
    for (count, bytes) in [(10, 1), (12, 700), (1, 1), (.max, .max)] as [(UInt32, UInt32)] {
      var buffer = ByteBuffer()
      PendingTotals(count: count, bytes: bytes).encode(into: &buffer)
      let value = buffer.bytes
      #expect(try kinds { (pendingKey($0), value) } == ["damagedIndexEntry"])
    }
    #expect(try kinds { (pendingKey($0), nil) } == ["damagedIndexEntry"])
    #expect(try kinds { (pendingKey($0), [1]) } == ["damagedIndexEntry"])
  }

  @Test func wrongOutdatedWordsAreFound() throws {
    // The blocks contain “all” and “even1” for the changed text.
    let missing = try kinds {
      (pendingKey($0, 3), pendingText("all changed", removed: "all evenx"))
    }
    #expect(missing == ["missingIndexEntry", "strayIndexEntry"])
    let none = try kinds { (pendingKey($0, 3), pendingText("all changed")) }
    #expect(none == ["strayIndexEntry", "damagedIndexEntry"])
  }

  /// An entry beneath the index, and one of an index that does not exist.
  @Test func entriesOfOtherIndexesAreFound() throws {
    try withStore { store, index in
      try store.edit { transaction in
        let key = blockKey(index + 50, "all", 1)
        let value = block([(1, 1)])
        try key.withUnsafeBytes { key in
          try value.withUnsafeBytes { try transaction.put(.indexes, key: key, $0) }
        }
      }
      #expect(try store.report().problems.map(\.kind) == [.strayIndexEntry])
    }
  }
}
