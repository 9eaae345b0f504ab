/// SipHash-2-4 with the 128-bit result of its reference implementation.
package struct SipHasher128 {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64

  private init(key: FileKey) {
    v0 = 0x736f_6d65_7073_6575 ^ key.low
    v1 = 0x646f_7261_6e64_6f6d ^ key.high ^ 0xee
    v2 = 0x6c79_6765_6e65_7261 ^ key.low
    v3 = 0x7465_6462_7974_6573 ^ key.high
  }

  /// Returns the hash of some bytes.
  ///
  /// - Complexity: O(n).
  package static func hash(_ bytes: UnsafeRawBufferPointer, key: FileKey) -> Hash128 {
    var hasher = SipHasher128(key: key)
    var index = 0
    while bytes.count - index >= 8 {
      hasher.absorb(bytes.uint64(at: index))
      index += 8
    }
    // The remaining bytes, the first one lowest, and the length in the top byte.
    var tail = UInt64(truncatingIfNeeded: bytes.count) << 56
    for (offset, byte) in bytes[index...].enumerated() {
      tail |= UInt64(byte) << UInt64(8 * offset)
    }
    hasher.absorb(tail)
    return hasher.finish()
  }

  private mutating func finish() -> Hash128 {
    v2 ^= 0xee
    for _ in 0..<4 { round() }
    let low = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xdd
    for _ in 0..<4 { round() }
    return Hash128(low: low, high: v0 ^ v1 ^ v2 ^ v3)
  }

  private mutating func absorb(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  private mutating func round() {
    v0 &+= v1
    v1 = v1 << 13 | v1 >> 51
    v1 ^= v0
    v0 = v0 << 32 | v0 >> 32
    v2 &+= v3
    v3 = v3 << 16 | v3 >> 48
    v3 ^= v2
    v0 &+= v3
    v3 = v3 << 21 | v3 >> 43
    v3 ^= v0
    v2 &+= v1
    v1 = v1 << 17 | v1 >> 47
    v1 ^= v2
    v2 = v2 << 32 | v2 >> 32
  }
}
