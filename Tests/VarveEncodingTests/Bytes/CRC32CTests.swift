import CVarve
import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct CRC32CTests {
  @Test func publishedVectorsMatch() {
    #expect(Array("123456789".utf8).lend { CRC32C.checksum($0) } == 0xE306_9283)
    #expect([UInt8](repeating: 0, count: 32).lend { CRC32C.checksum($0) } == 0x8A91_36AA)
    #expect([UInt8](repeating: 0xFF, count: 32).lend { CRC32C.checksum($0) } == 0x62A8_AB43)
    #expect((0..<32).map { UInt8($0) }.lend { CRC32C.checksum($0) } == 0x46DD_794E)
    #expect([].lend { CRC32C.checksum($0) } == 0)
  }

  /// Long inputs are computed in blocks of three lanes.
  @Test func tableAgreesWithProcessor() {
    var random = SeededRandom()
    let bytes = random.bytes(5000)
    for length in 0..<4900 {
      let start = random.below(64)
      let seed = UInt32(truncatingIfNeeded: random.next())
      let (fast, slow) = bytes.lend {
        let part = UnsafeRawBufferPointer(rebasing: $0[start..<start + length])
        return (
          varve_crc32c(seed, part.baseAddress, part.count),
          varve_crc32c_table(seed, part.baseAddress, part.count)
        )
      }
      #expect(fast == slow, "length \(length), \(random)")
    }
  }

  @Test func checksumAfterTwoWordsIsThatOfAllBytes() {
    var random = SeededRandom()
    for length in Array(0..<40) + [767, 768, 769, 2000] {
      let (first, second) = (random.next(), random.next())
      let bytes = random.bytes(length)
      let (fast, slow) = bytes.lend {
        (
          varve_crc32c_after(first, second, $0.baseAddress, $0.count),
          varve_crc32c_after_table(first, second, $0.baseAddress, $0.count)
        )
      }
      let words = withUnsafeBytes(of: (first, second)) { Array($0) }
      let whole = (words + bytes).lend { CRC32C.checksum($0) }
      #expect(fast == whole && slow == whole, "length \(length), \(random)")
    }
  }

  @Test func checksumOfPartsEqualsChecksumOfWhole() {
    let bytes = Array("The checksum of a whole is that of its parts.".utf8)
    for cut in 0...bytes.count {
      let first = Array(bytes[..<cut]).lend { varve_crc32c(0, $0.baseAddress, $0.count) }
      let both = Array(bytes[cut...]).lend { varve_crc32c(first, $0.baseAddress, $0.count) }
      #expect(both == bytes.lend { CRC32C.checksum($0) })
    }
  }
}
