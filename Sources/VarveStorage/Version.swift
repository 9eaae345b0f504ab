/// One committed state of a store: its history, and its commit number in that history.
///
/// Versions of two histories (a restored backup and the store it replaced) are never equal and have
/// no order.
///
/// Thread safety: a value. Processes: the same state has the same version in all of them.
@usableFromInline
package struct Version: Hashable, Sendable {
  /// The identity of the history, renewed after a restore, a copy, and an end that may have lost
  /// commits.
  @usableFromInline package let incarnation: RandomIdentity

  /// The number of commits since the file was created.
  @usableFromInline package let counter: UInt64

  @inlinable
  package init(incarnation: RandomIdentity, counter: UInt64) {
    self.incarnation = incarnation
    self.counter = counter
  }
}
