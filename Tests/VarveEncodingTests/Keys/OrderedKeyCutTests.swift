import Foundation
import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct OrderedKeyCutTests {
  static let lengths = [0, 1, 435, 436, 437, 438, 439, 440, 441, 442, 487, 100_000]

  @Test func partOf440BytesIsCompleteAndPartOf441IsTruncated() {
    // The presence byte, the letters, and the end mark of two bytes.
    let whole = key(String(repeating: "a", count: 437), .typed)
    #expect(whole.key.count == 440)
    #expect(!whole.wasCut)
    let cut = key(String(repeating: "a", count: 438), .typed)
    #expect(cut.key.count == OrderedKey.cutValueBytes)
    #expect(cut.wasCut)
    #expect(cut.key.bytes[440] == OrderedKey.cutMarker)
    #expect(!key(String(repeating: "a", count: 438), .bare).wasCut)
    #expect(key(String(repeating: "a", count: 439), .bare).wasCut)
    #expect(!key(String(repeating: "\0", count: 218), .mixed).wasCut)
    #expect(key(String(repeating: "\0", count: 219), .mixed).wasCut)
  }

  @Test func hashCoversWholeEncodedPart() {
    let text = String(repeating: "b\0", count: 300)
    var encoded: [UInt8] = [0x02]
    for byte in text.utf8 { encoded += byte == 0 ? [0, 0xFF] : [byte] }
    encoded += [0, 1]
    let hash = encoded.lend { SipHasher128.hash($0, key: testFileKey) }
    let cut = key(text, .typed).key
    #expect(cut.bytes == Array(encoded[..<440]) + [0x02] + hash.bytes)
  }

  /// Keys sort as (key, whole bytes of the entry) whether or not they are truncated: readers rely
  /// on this rule.
  @Test(arguments: [KeyForm.typed, .mixed, .bare])
  func groupsSortByKeyAndEntriesInsideByWholeBytes(form: KeyForm) {
    var random = SeededRandom()
    var texts: [[UInt8]] = []
    for _ in 0..<4 {
      let base = random.oneIn(2) ? [UInt8](repeating: 0, count: 500) : random.longBytes()
      for length in Self.lengths where length < 1000 || random.oneIn(2) {
        var text = Array((base + base).prefix(length))
        if text.count < length { text += [UInt8](repeating: 0x61, count: length - text.count) }
        texts.append(text)
        if length > 0 {
          text[random.int(max(0, length - 5)...length - 1)] = random.pick([0, 1, 0x61, 0xFF])
          texts.append(text)
        }
      }
    }
    let keys = texts.map { dataKey($0, form) }
    for (i, a) in texts.enumerated() {
      for (j, b) in texts.enumerated() {
        let byKey = ByteArrayOrder.compare(keys[i].key.bytes, keys[j].key.bytes)
        let expected = ByteArrayOrder.compare(a, b)
        if group(keys[i]) == group(keys[j]), keys[i].wasCut, keys[j].wasCut {
          #expect((byKey == 0) == (a == b), "\(a.count) \(b.count) \(random)")
        } else {
          #expect(byKey == expected, "\(a.count) \(b.count) \(random)")
        }
      }
    }
  }

  @Test func bareStringsAreReadBackOrReportedAsTruncated() throws {
    for length in Self.lengths {
      let text = String(repeating: "\0x", count: length / 2 + 1)
      let (key, wasCut) = key(text, .bare)
      let found = try bareString(key)
      #expect(found == (wasCut ? nil : text))
    }
  }

  @Test func escapePairSplitAtLimitIsTruncated() throws {
    // 438 letters fill bytes 1 to 438. The escape pair of the zero is at 439 and 440.
    let text = String(repeating: "a", count: 438) + "\0"
    let (key, wasCut) = key(text, .typed)
    #expect(wasCut)
    #expect(key.bytes[439] == 0)
    #expect(key.bytes[440] == OrderedKey.cutMarker)
    let bare = self.key(String(repeating: "a", count: 439) + "\0", .bare)
    #expect(bare.wasCut)
    #expect(try bareString(bare.key) == nil)
    // The adjacent cases: the same letters alone also end at the limit, and belong to the same
    // group.
    let alone = self.key(String(repeating: "a", count: 438), .typed)
    #expect(alone.wasCut)
    #expect(group(alone) == group((key, wasCut)))
    // A string with one letter less is complete and sorts before both.
    #expect(self.key(String(repeating: "a", count: 437), .typed).key < key)
  }

  @Test func fileKeysGiveDifferentHashes() {
    let text = String(repeating: "a", count: 1000)
    var other = OrderedKey()
    _ = other.append(string: text, fileKey: FileKey(low: 1, high: 1))
    let key = key(text, .typed).key
    #expect(other != key)
    #expect(other.bytes.prefix(441) == key.bytes.prefix(441))
  }

  @Test func damagedMarkerThrows() {
    var bytes = key(String(repeating: "a", count: 600), .bare).key.bytes
    bytes[440] = 0x03
    bytes.lend { bytes in
      var decoder = KeyDecoder(bytes)
      let error = thrownError { try decoder.bareString() }
      #expect(error == FormatError(.badTag, "", offset: 440, expected: 2, found: 3))
    }
  }

  private func group(_ key: (key: OrderedKey, wasCut: Bool)) -> [UInt8] {
    Array(key.key.bytes.prefix(440))
  }

  private func key(_ text: String, _ form: KeyForm) -> (key: OrderedKey, wasCut: Bool) {
    var key = OrderedKey()
    let wasCut =
      switch form {
      case .typed: key.append(string: text, fileKey: testFileKey)
      case .mixed: key.appendMixed(.string(text), fileKey: testFileKey)
      case .bare: key.appendBare(string: text, fileKey: testFileKey)
      }
    return (key, wasCut)
  }

  private func dataKey(_ bytes: [UInt8], _ form: KeyForm) -> (key: OrderedKey, wasCut: Bool) {
    var key = OrderedKey()
    let wasCut =
      switch form {
      case .typed: bytes.lend { key.append(bytes: $0, fileKey: testFileKey) }
      case .mixed: key.appendMixed(.data(Data(bytes)), fileKey: testFileKey)
      case .bare: bytes.lend { key.appendBare(bytes: $0, fileKey: testFileKey) }
      }
    return (key, wasCut)
  }

  private func bareString(_ key: OrderedKey) throws -> String? {
    try key.bytes.lend { bytes throws(FormatError) in
      var decoder = KeyDecoder(bytes)
      let text = try decoder.bareString()
      try decoder.finish()
      return text
    }
  }
}

extension SeededRandom {
  /// 500 bytes that include zeros and their adjacent values.
  mutating func longBytes() -> [UInt8] {
    (0..<500).map { _ in pick([0, 0, 1, 2, 0x61, 0xFF]) }
  }
}
