import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct ByteOrderTests {
  private func order(_ a: String, _ b: String) -> Int {
    hex(a).lend { a in hex(b).lend { b in ByteOrder.compare(a, b).signum() } }
  }

  @Test func bytesAreUnsignedAndPrefixesComeFirst() {
    #expect(order("", "") == 0)
    #expect(order("", "00") == -1)
    #expect(order("61", "6100") == -1)
    #expect(order("7f", "80") == -1)
    #expect(order("ff", "00ff") == 1)
    #expect(order("6162", "6162") == 0)
  }

  @Test func bytesOfEachLengthAreInOrder() {
    var random = SeededRandom()
    for _ in 0..<5000 {
      let start = random.bytes(Int.random(in: 0...30, using: &random))
      let a = start + random.bytes(Int.random(in: 0...9, using: &random))
      let b = start + random.bytes(Int.random(in: 0...9, using: &random))
      let found = a.lend { a in b.lend { b in ByteOrder.compare(a, b).signum() } }
      let expected = a.lexicographicallyPrecedes(b) ? -1 : a == b ? 0 : 1
      #expect(found == expected, "seed \(random.seed)")
    }
  }

  @Test func prefixIsFound() {
    let found = hex("616263").lend { a in hex("6162").lend { b in ByteOrder.hasPrefix(a, b) } }
    let tooLong = hex("61").lend { a in hex("6162").lend { b in ByteOrder.hasPrefix(a, b) } }
    #expect(found)
    #expect(!tooLong)
  }
}
