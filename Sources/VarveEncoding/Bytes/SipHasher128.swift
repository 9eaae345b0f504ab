/// SipHash-2-4 with the 128-bit result of its reference implementation, fed piece by piece.
///
/// Thread safety: a value; no shared state.
package struct SipHasher128: Sendable {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64
  /// The bytes that do not fill a word yet, the first one lowest.
  private var tail: UInt64 = 0
  private var tailCount = 0
  private var total = 0

  package init(key: FileKey) {
    v0 = 0x736f_6d65_7073_6575 ^ key.low
    v1 = 0x646f_7261_6e64_6f6d ^ key.high ^ 0xee
    v2 = 0x6c79_6765_6e65_7261 ^ key.low
    v3 = 0x7465_6462_7974_6573 ^ key.high
  }

  /// The hash of some bytes.
  package static func hash(_ bytes: UnsafeRawBufferPointer, key: FileKey) -> Hash128 {
    var hasher = SipHasher128(key: key)
    hasher.update(bytes)
    return hasher.finish()
  }

  package mutating func update(_ byte: UInt8) {
    total += 1
    tail |= UInt64(byte) << UInt64(8 * tailCount)
    tailCount += 1
    if tailCount == 8 {
      absorb(tail)
      tail = 0
      tailCount = 0
    }
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    while tailCount > 0, index < bytes.count {
      update(bytes[index])
      index += 1
    }
    while bytes.count - index >= 8 {
      absorb(bytes.uint64(at: index))
      index += 8
      total += 8
    }
    while index < bytes.count {
      update(bytes[index])
      index += 1
    }
  }

  /// The hash of everything fed so far; the hasher itself is left as it is.
  package func finish() -> Hash128 {
    var copy = self
    copy.absorb(UInt64(truncatingIfNeeded: total) << 56 | tail)
    copy.v2 ^= 0xee
    for _ in 0..<4 { copy.round() }
    let low = copy.v0 ^ copy.v1 ^ copy.v2 ^ copy.v3
    copy.v1 ^= 0xdd
    for _ in 0..<4 { copy.round() }
    return Hash128(low: low, high: copy.v0 ^ copy.v1 ^ copy.v2 ^ copy.v3)
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
