/// One committed state of a store: which history, and which commit of it.
///
/// Versions of two histories (a restored backup and what it replaced) are never equal and have no
/// order.
///
/// Thread safety: a value. Processes: the same state has the same version in all of them.
@usableFromInline
package struct Version: Hashable, Sendable {
  /// The history, renewed on restore, copy, and after an end that may have lost commits.
  @usableFromInline package let incarnation: RandomIdentity

  /// The number of commits since the file was created.
  @usableFromInline package let counter: UInt64

  @inlinable
  package init(incarnation: RandomIdentity, counter: UInt64) {
    self.incarnation = incarnation
    self.counter = counter
  }
}
