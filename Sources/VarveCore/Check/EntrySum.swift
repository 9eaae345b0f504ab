import VarveEncoding

/// The sum of the hashes of a set of entries, which does not depend on their order.
///
/// Two different sets have equal sums with a probability of about 2^-64: the hashes depend on a
/// random number of the process.
struct EntrySum: Equatable {
  private(set) var sum: UInt64 = 0
  private(set) var count = 0

  private static let seed = UInt64.random(in: 1 ... .max)

  mutating func insert(_ key: OrderedKey, _ value: ByteBuffer) {
    key.withUnsafeBytes { key in value.withUnsafeBytes { insert(key, $0) } }
  }

  /// - Complexity: O(bytes), without allocation.
  mutating func insert(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    count += 1
    sum &+= Self.hash(value, Self.hash(key, Self.seed))
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer, _ seed: UInt64) -> UInt64 {
    var hash = mix(seed ^ UInt64(truncatingIfNeeded: bytes.count), 0x9E37_79B9_7F4A_7C15)
    var index = 0
    while index + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      hash = mix(hash ^ word, 0xD6E8_FEB8_6659_FD93)
      index += 8
    }
    var tail: UInt64 = 0
    while index < bytes.count {
      tail = tail << 8 | UInt64(bytes[index])
      index += 1
    }
    return mix(hash ^ tail, 0xA076_1D64_78BD_642F)
  }

  @inline(__always)
  private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}

/// The sums of the entries that depend on the rows.
struct EntrySums: Equatable {
  var indexes = EntrySum()
  var backlinks = EntrySum()
  var collections = EntrySum()
  /// The postings of full-text indexes that are outdated: those that pending texts name are
  /// required, those of objects with a pending text are stored.
  var outdated = EntrySum()
}
