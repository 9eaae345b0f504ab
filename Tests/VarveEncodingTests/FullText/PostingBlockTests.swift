import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct PostingBlockTests {
  private typealias Bytes = [UInt8]

  private func encode(_ postings: [Posting]) -> Bytes {
    var buffer = PostingBlockBuffer()
    for posting in postings {
      let isAppended = buffer.append(posting)
      #expect(isAppended)
    }
    return buffer.withUnsafeBytes { Bytes($0) }
  }

  private func decode(_ bytes: Bytes, firstID: UInt64) throws -> [Posting] {
    try bytes.lend { bytes in
      let block = try PostingBlock(firstID: firstID, validating: bytes)
      var postings: [Posting] = []
      try block.append(to: &postings)
      #expect(try block.lastID() == postings.last?.id)
      #expect(block.count == postings.count)
      return postings
    }
  }

  @Test func layoutIsAsSpecified() throws {
    let postings = [(5, 1), (6, 1), (69, 2), (133, 1), (133 + 8192, 300)].map {
      Posting(id: $0, count: $1)
    }
    let bytes = encode(postings)
    #expect(hex(bytes) == "0500" + "01" + "03" + "7e02" + "8101" + "808001" + "ac02")
    #expect(try decode(bytes, firstID: 5) == postings)
  }

  /// Ids at both ends of the range: a difference has up to 64 bits, with the flag 65.
  @Test(
    arguments: [
      [0, .max], [0, 1, .max - 1, .max], [.max], [0], [1 << 63 - 1, 1 << 63], [0, 1 << 63, .max],
    ] as [[UInt64]])
  func greatDifferencesAreStored(_ ids: [UInt64]) throws {
    for count in [1, 2, 127, 128, .max] as [UInt32] {
      let postings = ids.map { Posting(id: $0, count: count) }
      #expect(try decode(encode(postings), firstID: ids[0]) == postings)
    }
  }

  @Test func randomPostingsAreStored() throws {
    var random = SeededRandom()
    for _ in 0..<300 {
      var id = random.pick([0, 1 << 63, UInt64.max - 1 << 42])
      var postings: [Posting] = []
      var size = 2
      var previous: UInt64?
      let bits = UInt64(random.below(32))
      for _ in 0...random.below(400) {
        let count = random.oneIn(3) ? UInt32(random.below(300)) + 1 : 1
        let posting = Posting(id: id, count: count)
        let bytes = PostingBlockBuffer.byteCount(posting, after: previous)
        if size + bytes > PostingBlock.maximumBytes { break }
        postings.append(posting)
        size += bytes
        previous = id
        id += 1 + random.next() >> (63 - bits)
      }
      let bytes = encode(postings)
      #expect(bytes.count == size, "\(random)")
      #expect(try decode(bytes, firstID: postings[0].id) == postings, "\(random)")
      // Appended to the stored block.
      var buffer = PostingBlockBuffer()
      let half = 1 + random.below(postings.count)
      try encode(Array(postings[..<half])).lend {
        try buffer.load(PostingBlock(firstID: postings[0].id, validating: $0))
      }
      #expect(buffer.lastID == postings[half - 1].id)
      for posting in postings[half...] { _ = buffer.append(posting) }
      let appended = buffer.withUnsafeBytes { Bytes($0) }
      #expect(appended == bytes, "\(random)")
    }
  }

  @Test func fullBlockRefusesPostings() {
    var buffer = PostingBlockBuffer()
    var id: UInt64 = 7
    while buffer.append(Posting(id: id, count: 1)) { id += 1 }
    #expect(buffer.count == PostingBlock.maximumBytes - 2)
    #expect(buffer.byteCount == PostingBlock.maximumBytes && buffer.lastID == id - 1)
    buffer.removeAll()
    let isAppended = buffer.append(Posting(id: 3, count: 1), limit: 64)
    #expect(isAppended && buffer.count == 1)
  }

  @Test func wrongBytesAreRefused() {
    let wrong: [(String, FormatError.Reason)] = [
      ("", .truncated), ("01", .truncated), ("0100", .truncated), ("000001", .badLength),
      ("020001", .badLength), ("010003", .badValue), ("02000101", .badValue),
      ("010001 00", .trailingBytes),
      ("ff07" + String(repeating: "01", count: 1999), .badLength), ("0100 00", .truncated),
      ("0100 0000", .badValue),
      ("0100 0001", .badValue), ("0100 008100", .badValue), ("0200 01 8100", .badValue),
      ("0200 01 81", .truncated), ("0100 0080", .truncated),
      ("0100 00 ffffffff1f", .badValue), ("0200 01 ffffffffffffffffff7f", .badValue),
    ]
    for (text, reason) in wrong {
      expectError(reason, "\(text)") { try decode(hex(text), firstID: 5) }
    }
    // Beyond the greatest id.
    expectError(.badValue) { try decode(hex("02000103"), firstID: .max) }
  }

  /// Whatever the bytes are, nothing outside them is read. Accepted bytes are those of a writer.
  @Test func damagedBytesNeverTrap() throws {
    var random = SeededRandom()
    let sample = encode((0..<40).map { Posting(id: $0 * $0 * 9 + 1, count: UInt32($0 % 3 + 1)) })
    for _ in 0..<20_000 {
      var damaged = sample
      for _ in 0...random.below(3) {
        damaged[random.below(damaged.count)] = UInt8(random.below(256))
      }
      if random.oneIn(3) { damaged.removeLast(random.below(damaged.count)) }
      guard let postings = try? decode(damaged, firstID: 1) else { continue }
      #expect(encode(postings) == damaged, "\(random)")
    }
  }
}
