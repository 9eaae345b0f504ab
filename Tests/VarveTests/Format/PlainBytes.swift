/// Bytes read from the front. Together with ``PlainFile`` it is the only implementation of the
/// format in these tests: both follow Docs/Format.md and use none of the library's code.
struct PlainBytes {
  struct TooShort: Error {}

  private let bytes: [UInt8]
  private(set) var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.count }

  mutating func take(_ count: Int) throws -> [UInt8] {
    guard count >= 0, bytes.count - offset >= count else { throw TooShort() }
    defer { offset += count }
    return Array(bytes[offset..<offset + count])
  }

  mutating func skip(to offset: Int) { self.offset = offset }

  /// Reads a little-endian number, as in values.
  mutating func number(_ count: Int) throws -> UInt64 {
    try take(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads a big-endian number, as in keys.
  mutating func keyNumber(_ count: Int) throws -> UInt64 {
    try take(count).reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func int(_ count: Int) throws -> Int { Int(try number(count)) }

  mutating func text() throws -> String { String(decoding: try take(try int(4)), as: UTF8.self) }

  /// Reads a presence byte and a four-byte number.
  mutating func optionalID() throws -> UInt64? {
    let isPresent = try number(1) == 1
    let id = try number(4)
    return isPresent ? id : nil
  }
}

/// The checksum of the format: CRC-32C (Castagnoli), reflected, inverted before and after.
func plainCRC32C(_ bytes: some Sequence<UInt8>) -> UInt64 {
  var crc: UInt32 = .max
  for byte in bytes {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
  }
  return UInt64(~crc)
}

/// SipHash-2-4 with a 128-bit result, in the notation of its authors.
func plainSipHash(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
  func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
  func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }
  let (k0, k1) = (word(key[0..<8]), word(key[8..<16]))
  var v: [UInt64] = [
    0x736f_6d65_7073_6575 ^ k0, 0x646f_7261_6e64_6f6d ^ k1 ^ 0xee, 0x6c79_6765_6e65_7261 ^ k0,
    0x7465_6462_7974_6573 ^ k1,
  ]
  func rounds(_ count: Int) {
    for _ in 0..<count {
      v[0] &+= v[1]
      v[1] = rotated(v[1], 13) ^ v[0]
      v[0] = rotated(v[0], 32)
      v[2] &+= v[3]
      v[3] = rotated(v[3], 16) ^ v[2]
      v[0] &+= v[3]
      v[3] = rotated(v[3], 21) ^ v[0]
      v[2] &+= v[1]
      v[1] = rotated(v[1], 17) ^ v[2]
      v[2] = rotated(v[2], 32)
    }
  }
  var rest = bytes[...]
  while rest.count >= 8 {
    let block = word(rest.prefix(8))
    v[3] ^= block
    rounds(2)
    v[0] ^= block
    rest = rest.dropFirst(8)
  }
  let last = word(rest) | UInt64(bytes.count & 0xFF) << 56
  v[3] ^= last
  rounds(2)
  v[0] ^= last
  v[2] ^= 0xee
  rounds(4)
  let first = v[0] ^ v[1] ^ v[2] ^ v[3]
  v[1] ^= 0xdd
  rounds(4)
  return [first, v[0] ^ v[1] ^ v[2] ^ v[3]].flatMap { word in
    (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
  }
}
