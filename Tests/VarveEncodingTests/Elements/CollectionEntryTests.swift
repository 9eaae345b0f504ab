import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct CollectionEntryTests {
  private let key = hex("0000000000000005 6b 0001")
  private let element = hex("08 76")

  /// The value of an entry.
  private func entry(_ key: [UInt8], _ element: [UInt8]) -> [UInt8] {
    var buffer = ByteBuffer()
    element.lend { buffer.append($0) }
    key.lend { CollectionEntry.seal(&buffer, key: $0) }
    return buffer.bytes
  }

  private func reason(_ value: [UInt8], _ key: [UInt8]) -> FormatError.Reason? {
    value.lend { value in
      key.lend { key in
        thrownError { try CollectionEntry.verifyChecksum(value, key: key) }?.reason
      }
    }
  }

  @Test func checksumIsOfKeyAndElement() {
    let value = entry(key, element)
    let checksum = (key + element).lend { CRC32C.checksum($0) }
    #expect(value.dropLast(4) == element[...])
    #expect(value.suffix(4) == (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }[...])
    #expect(value.lend { Array(CollectionEntry.element(of: $0)) } == element)
    #expect(reason(value, key) == nil)
  }

  @Test func changedBitIsFound() {
    let value = entry(key, element)
    for bit in 0..<8 * value.count {
      var changed = value
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(reason(changed, key) == .badChecksum, "\(bit)")
    }
    for bit in 0..<8 * key.count {
      var changed = key
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(reason(value, changed) == .badChecksum, "\(bit)")
    }
  }

  @Test func shortValueHasNoElement() {
    for count in 0..<4 {
      let value = [UInt8](repeating: 8, count: count)
      #expect(reason(value, key) == .truncated)
      #expect(value.lend { CollectionEntry.element(of: $0).isEmpty })
    }
    #expect(entry(key, []).lend { CollectionEntry.element(of: $0).isEmpty })
  }

  @Test func randomEntriesAreReadBack() {
    var random = SeededRandom()
    for _ in 0..<500 {
      let (key, element) = (random.bytes(random.int(8...500)), random.bytes(random.int(0...900)))
      let value = entry(key, element)
      #expect(reason(value, key) == nil, "\(random)")
      #expect(value.lend { Array(CollectionEntry.element(of: $0)) } == element, "\(random)")
    }
  }
}
