/// Sixteen random bytes that identify a file, or one history of a file.
@usableFromInline
package struct RandomIdentity: Hashable, Sendable {
  @usableFromInline package let first: UInt64
  @usableFromInline package let second: UInt64

  package init(first: UInt64, second: UInt64) {
    self.first = first
    self.second = second
  }

  /// Returns a new identity, from the system's random source.
  package static func random() -> RandomIdentity {
    var generator = SystemRandomNumberGenerator()
    return RandomIdentity(first: generator.next(), second: generator.next())
  }
}
