import Foundation
import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct OrderedKeyBoundsTests {
  @Test(arguments: [KeyForm.typed, .mixed, .bare])
  func prefixBoundsContainExactlyStringsWithPrefix(form: KeyForm) {
    var random = SeededRandom()
    let texts = random.texts()
    let keys = texts.map { key($0, form) }
    for prefix in texts + ["", "a", "\0"] {
      let bounds = base.prefixBounds(string: prefix, form: form)
      for (text, key) in zip(texts, keys) {
        let isInside = bounds.lower <= key && bounds.upper.map { key < $0 } ?? true
        let begins = Array(text.utf8).starts(with: prefix.utf8)
        if bounds.isExact {
          #expect(isInside == begins, "\(prefix.count) \(text.count) \(random)")
        } else if begins {
          #expect(isInside, "\(prefix.count) \(text.count) \(random)")
        }
      }
    }
  }

  @Test func inexactBoundsContainOneGroupOnly() {
    let prefix = String(repeating: "a", count: 440)
    let bounds = base.prefixBounds(string: prefix)
    #expect(!bounds.isExact)
    #expect(bounds.lower.bytes.suffix(2) == [0x61, 0x02])
    #expect(bounds.upper?.bytes.suffix(2) == [0x61, 0x03])
    #expect(base.prefixBounds(string: String(repeating: "a", count: 439)).isExact)
    #expect(base.prefixBounds(string: prefix, form: .bare).isExact)
  }

  @Test func prefixBoundsOfDataAndStringsAreDisjoint() {
    let prefix: [UInt8] = [0x61]
    let data = prefix.lend { base.prefixBounds(bytes: $0, type: .data, form: .mixed) }
    let string = prefix.lend { base.prefixBounds(bytes: $0, type: .string, form: .mixed) }
    #expect(string.upper.map { $0 < data.lower } == true)
  }

  @Test func emptyPrefixContainsEveryStringButNotNull() {
    let bounds = base.prefixBounds(string: "")
    var null = base
    null.appendNull()
    #expect(null < bounds.lower)
    #expect(bounds.lower <= key("", .typed))
    #expect(bounds.upper.map { key("\u{10FFFF}", .typed) < $0 } == true)
  }

  @Test func bytesOf0xFFHaveNoUpperBound() {
    var key = OrderedKey()
    #expect(key.afterAllWithPrefix() == nil)
    key.append(uint32: 0xFFFF_FFFF)
    #expect(key.afterAllWithPrefix() == nil)
    #expect(key.boundsOfPrefix().upper == nil)
    key.removeAll()
    key.append(uint32: 0x0000_12FF)
    #expect(key.afterAllWithPrefix()?.bytes == [0, 0, 0x13])
  }

  @Test func truncatedGroupBoundsContainGroup() {
    let long = String(repeating: "a", count: 600)
    let cut = key(long, .typed)
    let bounds = cut.cutGroupBounds(valueStart: base.count)
    #expect(bounds?.isExact == false)
    for text in [long + "b", String(long.dropLast()), String(long.prefix(439))] {
      let other = key(text, .typed)
      #expect(bounds.map { $0.lower <= other } == true)
      #expect(bounds?.upper.map { other < $0 } == true)
    }
    for text in [String(long.prefix(437)), String(long.prefix(400)) + "b" + long] {
      let other = key(text, .typed)
      let isInside = bounds.map { bounds in
        bounds.lower <= other && bounds.upper.map { other < $0 } ?? true
      }
      #expect(isInside == false)
    }
    #expect(key("short", .typed).cutGroupBounds(valueStart: base.count) == nil)
  }

  private var base: OrderedKey {
    var key = OrderedKey()
    key.append(uint32: 0xFFFF_FFFF)
    return key
  }

  private func key(_ text: String, _ form: KeyForm) -> OrderedKey {
    var key = base
    switch form {
    case .typed: _ = key.append(string: text, fileKey: testFileKey)
    case .mixed: _ = key.appendMixed(.string(text), fileKey: testFileKey)
    case .bare: _ = key.appendBare(string: text, fileKey: testFileKey)
    }
    return key
  }
}

extension SeededRandom {
  /// Short and long strings, many of them prefixes of others.
  mutating func texts() -> [String] {
    var texts: [String] = []
    for _ in 0..<8 {
      let letters = (0..<int(430...450)).map { _ in pick(["a", "b", "\0", "é"]) }
      for _ in 0..<4 {
        texts.append(letters.prefix(int(0...letters.count)).joined() + string())
        texts.append(letters.prefix(int(425...450)).joined() + string())
      }
      texts.append(letters.joined())
    }
    return texts
  }
}
