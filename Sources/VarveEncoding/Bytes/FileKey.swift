/// The 16 random bytes of a file that key its hashes, so that nobody can prepare strings that
/// collide.
///
/// Thread safety: an immutable value.
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
