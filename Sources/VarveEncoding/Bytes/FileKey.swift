/// The 16 random bytes that key a file's hashes, so that an attacker cannot construct colliding
/// strings.
@usableFromInline
package struct FileKey: Hashable, Sendable {
  /// Bytes 0 to 7, little-endian.
  @usableFromInline package let low: UInt64
  /// Bytes 8 to 15, little-endian.
  @usableFromInline package let high: UInt64

  @inlinable
  package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }
}
