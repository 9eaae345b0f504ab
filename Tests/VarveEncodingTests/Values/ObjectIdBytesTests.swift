import Testing
import VarveEncoding
import VarveTestSupport

@Suite struct ObjectIdBytesTests {
  @Test func bytesAreReadAndWritten() {
    let bytes = hex("000102030405060708090aff")
    let id = ObjectIdBytes(bytes)
    #expect(id?.bytes == bytes)
    #expect(ObjectIdBytes(bytes.dropLast()) == nil)
    #expect(ObjectIdBytes.zero.bytes == [UInt8](repeating: 0, count: 12))
  }

  @Test func orderIsOrderOfBytes() throws {
    var random = SeededRandom()
    for _ in 0..<200 {
      var a = random.bytes(12)
      var b = random.bytes(12)
      let shared = random.int(0...11)
      b.replaceSubrange(..<shared, with: a[..<shared])
      if random.oneIn(20) { a = b }
      let left = try #require(ObjectIdBytes(a))
      let right = try #require(ObjectIdBytes(b))
      #expect((left < right) == a.lexicographicallyPrecedes(b), "\(random)")
    }
  }
}
