import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct UTF8TextTests {
  @Test func textOfEachLengthIsReadBack() throws {
    for count in 0..<40 {
      for text in [String(repeating: "x", count: count), String(repeating: "aé🐑", count: count)] {
        let found = try Array(text.utf8).lend { try UTF8Text.string($0) }
        #expect(Array(found.utf8) == Array(text.utf8))
      }
    }
  }

  // A truncated scalar is as long as its replacement in a repaired string.
  @Test(arguments: ["ff", "c3", "80", "f09f90", "eda080", "c080", "f4908080"])
  func invalidUTF8IsRefused(_ bytes: String) {
    for offset in 0..<20 {
      let text = [UInt8](repeating: 0x61, count: offset) + hex(bytes) + hex("6262626262626262")
      text.lend { text in expectError(.badText) { try UTF8Text.string(text) } }
    }
  }

  @Test func zerosAndOtherBytesAreFoundAnywhere() {
    for count in 1..<30 {
      for offset in 0..<count {
        for byte in [0, 1, 0x7F, 0x80, 0x81, 0xFF] as [UInt8] {
          var bytes = [UInt8](repeating: 0x61, count: count)
          bytes[offset] = byte
          let isASCII = bytes.lend { UTF8Text.isASCII($0) }
          let isPlain = bytes.lend { UTF8Text.isASCIIWithoutZero($0) }
          let hasZero = bytes.lend { UTF8Text.hasZero($0) }
          #expect(isASCII == (byte < 0x80))
          #expect(isPlain == (byte < 0x80 && byte != 0))
          #expect(hasZero == (byte == 0))
        }
      }
    }
  }

  @Test func zerosAreFoundAmongAnyBytes() {
    var random = SeededRandom()
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random) & (Bool.random(using: &random) ? 0xFF : 0x81)
      }
      let hasZero = bytes.lend { UTF8Text.hasZero($0) }
      let isPlain = bytes.lend { UTF8Text.isASCIIWithoutZero($0) }
      #expect(hasZero == bytes.contains(0), "seed \(random.seed)")
      #expect(isPlain == bytes.allSatisfy { 1..<0x80 ~= $0 }, "seed \(random.seed)")
    }
  }
}
