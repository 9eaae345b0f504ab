import Testing
import VarveEncoding

@Suite struct PostingKeyTests {
  private func begin(_ word: String, isWhole: Bool = true) -> OrderedKey {
    var key = OrderedKey()
    Array(word.utf8).lend { PostingKey.begin(&key, indexID: 7, word: $0, isWhole: isWhole) }
    return key
  }

  @Test func keysOfBlocksAreAsSpecified() throws {
    var key = begin("sea")
    #expect(hex(key.bytes) == "00000007" + "736561" + "0001")
    #expect(hex(begin("sea", isWhole: false).bytes) == "00000007" + "736561")
    key.append(uint64: 258)
    try key.bytes.lend { bytes in
      let (word, firstID) = try PostingKey.decodeBlock(bytes)
      #expect(String(decoding: word, as: UTF8.self) == "sea" && firstID == 258)
      #expect(PostingKey.indexID(of: bytes) == 7 && !PostingKey.isPending(bytes))
    }
  }

  @Test func keysOfPendingTextsPrecedeBlocks() throws {
    var key = OrderedKey()
    PostingKey.beginPending(&key, indexID: 7)
    #expect(hex(key.bytes) == "00000007" + "0001")
    let totals = try key.bytes.lend { try PostingKey.decodePending($0) }
    #expect(totals == nil)
    key.append(uint64: .max)
    let text = try key.bytes.lend { try PostingKey.decodePending($0) }
    #expect(text == .max)
    let arePending = [key.bytes, Array(key.bytes.prefix(6))].map { bytes in
      bytes.lend { PostingKey.isPending($0) }
    }
    #expect(arePending == [true, true])
    #expect(key < begin("\u{1}"))
  }

  @Test func wrongKeysAreRefused() {
    for key in [
      "", "00000007", "00000007 0001 0000000000000001", "00000007 61 0002 0000000000000001",
      "00000007 6100 0001 0000000000000001", "00000007 61 0001 00000000000001",
      "00000007" + String(repeating: "61", count: 65) + "0001 0000000000000001",
    ] {
      expectError(nil, "\(key)") { try hex(key).lend { try PostingKey.decodeBlock($0) } }
    }
    for key in ["00000007 0001 01", "00000007 0001 000000000000000100"] {
      expectError(.badLength) { try hex(key).lend { try PostingKey.decodePending($0) } }
    }
    #expect(!hex("0000000700").lend { PostingKey.isPending($0) })
    #expect(hex("000007").lend { PostingKey.indexID(of: $0) } == nil)
  }

  @Test func totalsFollowTexts() throws {
    var totals = PendingTotals()
    totals.replace(nil, with: 40)
    totals.replace(nil, with: 60)
    totals.replace(40, with: 45)
    #expect(totals == PendingTotals(count: 2, bytes: 105))
    var buffer = ByteBuffer()
    totals.encode(into: &buffer)
    #expect(hex(buffer.bytes) == "02000000" + "69000000")
    #expect(try buffer.bytes.lend { try PendingTotals(decoding: $0) } == totals)
    totals.replace(60, with: nil)
    totals.replace(45, with: nil)
    #expect(totals == PendingTotals())
    // Wrong totals do not trap.
    totals.replace(5, with: nil)
    #expect(totals == PendingTotals())
    for bytes in ["", "01000000", "0000000000000000", "010000000000000000"] {
      expectError { try hex(bytes).lend { try PendingTotals(decoding: $0) } }
    }
  }
}
