package import VarveEncoding

/// What objects may share, in results that keep the first object of each value.
///
/// Encoded values of up to 15 bytes are kept as they are. Of longer ones 120 bits of a keyed hash
/// stand for the value: values that differ are taken for different.
package struct DistinctValue: Hashable, Sendable {
  private let low: UInt64

  /// The highest byte says how many bytes the value has.
  private let high: UInt64

  private static let maximumBytes = 15
  private static let hashed: UInt64 = 0xFF << 56

  /// - Parameters:
  ///   - bytes: the value, encoded so that equal values have equal bytes.
  ///   - key: the hash's; the same for all values that are compared.
  package init(_ bytes: [UInt8], key: FileKey) {
    guard bytes.count > Self.maximumBytes else {
      var words: (low: UInt64, high: UInt64) = (0, UInt64(bytes.count) << 56)
      for (position, byte) in bytes.enumerated() {
        if position < 8 {
          words.low |= UInt64(byte) << (8 * position)
        } else {
          words.high |= UInt64(byte) << (8 * (position - 8))
        }
      }
      (low, high) = words
      return
    }
    var hasher = SipHasher128(key: key)
    for byte in bytes { hasher.update(byte) }
    let hash = hasher.finish()
    low = hash.low
    high = hash.high | Self.hashed
  }
}

extension DistinctValue: Comparable {
  /// Any order will do.
  package static func < (first: DistinctValue, second: DistinctValue) -> Bool {
    first.high == second.high ? first.low < second.low : first.high < second.high
  }
}

/// A value, and where among the objects that share it an object stands.
package struct DistinctPrefix: Comparable, Sendable {
  package var value: DistinctValue

  /// The prefix in the order that says which object is the first.
  package var prefix: UInt64

  package init(value: DistinctValue, prefix: UInt64) {
    self.value = value
    self.prefix = prefix
  }

  package static func < (first: DistinctPrefix, second: DistinctPrefix) -> Bool {
    first.value == second.value ? first.prefix < second.prefix : first.value < second.value
  }
}
