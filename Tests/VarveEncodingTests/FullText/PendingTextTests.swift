import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct PendingTextTests {
  private typealias Bytes = [UInt8]

  private func encode(_ words: [String], removed: [String] = []) -> Bytes {
    var buffer = ByteBuffer()
    let isEncoded = PendingText.encode(
      WordList(words), removed: WordList(removed), into: &buffer)
    #expect(isEncoded)
    return buffer.bytes
  }

  private func decode(_ bytes: Bytes) throws -> (words: [String], removed: [String]) {
    try bytes.lend { bytes in
      let (words, removed) = try PendingText(validating: bytes).decode()
      return (words.all.map { "\($0.word) \($0.count)" }, removed.all.map(\.word))
    }
  }

  @Test func layoutIsAsSpecified() throws {
    let bytes = encode(["b", "aa", "b"], removed: ["c"])
    #expect(hex(bytes[32...]) == "0200" + "0100" + "028101" + "6161" + "6202" + "63")
    var signature = Bytes(repeating: 0, count: 32)
    for word in ["aa", "b", "c"] {
      let checksum = Int(Bytes(word.utf8).lend { CRC32C.checksum($0) })
      for bit in [checksum % 256, checksum / 256 % 256] {
        signature[bit / 8] |= 1 << UInt8(bit % 8)
      }
    }
    #expect(Bytes(bytes[..<32]) == signature)
    let found = try decode(bytes)
    #expect(found.words == ["aa 1", "b 2"] && found.removed == ["c"])
  }

  @Test func wordsAreFound() throws {
    let bytes = encode(["sea", "sea", "seal", "lamp"], removed: ["sea", "storm"])
    func find(_ word: String, isPrefix: Bool = false) throws -> [Int] {
      try bytes.lend { bytes in
        let text = try PendingText(validating: bytes)
        #expect(text.count == 3 && text.removedCount == 2)
        return try Bytes(word.utf8).lend { word in
          let found = try text.find(word, isPrefix: isPrefix)
          let isThere = found.count > 0 || found.isRemoved
          if isThere, !isPrefix { #expect(text.mayContain(PendingText.mark(of: word))) }
          return [found.count, found.isRemoved ? 1 : 0]
        }
      }
    }
    #expect(try find("sea") == [2, 1])
    #expect(try find("sea", isPrefix: true) == [3, 1])
    #expect(try find("seal") == [1, 0])
    #expect(try find("storm") == [0, 1])
    #expect(try find("se") == [0, 0])
  }

  @Test func randomTextsAreStored() throws {
    var random = SeededRandom()
    for _ in 0..<200 {
      func words(_ count: Int) -> [String] {
        (0..<random.below(count)).map { _ in
          String(repeating: random.pick(["a", "b", "c"]), count: 1 + random.below(64))
        }
      }
      let (text, removed) = (words(300) + ["z"], words(50))
      let found = try decode(encode(text, removed: removed))
      #expect(found.words == WordList(text).all.map { "\($0.word) \($0.count)" }, "\(random)")
      #expect(found.removed == WordList(removed).all.map(\.word), "\(random)")
    }
  }

  @Test func tooManyWordsAreRefused() {
    var buffer = ByteBuffer()
    let words = WordList((0..<65_536).map { "w\($0)" })
    let isText = PendingText.encode(words, removed: .empty, into: &buffer)
    let isRemoval = PendingText.encode(.empty, removed: words, into: &buffer)
    #expect(!isText && !isRemoval)
  }

  @Test func wrongBytesAreRefused() {
    let sound = encode(["b", "aa", "b"], removed: ["c"])
    for length in 0..<sound.count { expectError { try decode(Bytes(sound.prefix(length))) } }
    expectError(.trailingBytes) { try decode(sound + [0]) }
    // Words out of order, a count of 1, a wrong signature, a zero byte, a count of a removed word.
    for (offset, byte) in [(39, 0x7A), (42, 1), (0, 0xFF), (39, 0), (38, 0x81), (36, 0), (36, 65)] {
      var damaged = sound
      guard damaged[offset] != UInt8(byte) else { continue }
      damaged[offset] = UInt8(byte)
      expectError(nil, "\(offset)") { try decode(damaged) }
    }
  }

  /// Whatever the bytes are, nothing outside them is read. Accepted bytes are those of a writer.
  @Test func damagedBytesNeverTrap() throws {
    var random = SeededRandom()
    let sample = encode((0..<20).map { "w\($0 / 2)" }, removed: ["w1", "x"])
    for _ in 0..<20_000 {
      var damaged = sample
      for _ in 0...random.below(3) {
        damaged[random.below(damaged.count)] = UInt8(random.below(256))
      }
      if random.oneIn(3) { damaged.removeLast(random.below(damaged.count)) }
      damaged.lend { bytes in
        guard let text = try? PendingText(validating: bytes) else { return }
        _ = try? Bytes("w1".utf8).lend { try text.find($0, isPrefix: true) }
        guard let (words, removed) = try? text.decode() else { return }
        var buffer = ByteBuffer()
        let isEncoded = PendingText.encode(words, removed: removed, into: &buffer)
        #expect(isEncoded && buffer.bytes == damaged, "\(random)")
      }
    }
  }
}
