/// Sixteen random bytes that tell one thing from all others: a file, or one history of a file.
///
/// Thread safety: a value.
@usableFromInline
package struct RandomIdentity: Hashable, Sendable {
  @usableFromInline package let first: UInt64
  @usableFromInline package let second: UInt64

  package init(first: UInt64, second: UInt64) {
    self.first = first
    self.second = second
  }

  /// A new one, from the system's random source.
  package static func random() -> RandomIdentity {
    var generator = SystemRandomNumberGenerator()
    return RandomIdentity(first: generator.next(), second: generator.next())
  }
}
