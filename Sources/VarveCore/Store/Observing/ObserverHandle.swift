package import VarveStorage

/// An observer as its owner holds it.
package protocol ObserverHandle: Sendable {
  /// The store that is observed.
  var store: Store { get }

  /// No callback begins after this.
  @discardableResult
  func invalidate() -> Bool

  /// Has nothing be told that comes after a version, until the commit that follows it is known.
  ///
  /// - Precondition: the thread is in the write transaction that makes the commit.
  func suspend(at base: Snapshot)

  /// Goes on after `suspend(at:)`.
  ///
  /// - Parameters:
  ///   - base: the version that was given there.
  ///   - commit: the version that was committed, which is left out; nil after a roll-back.
  func resume(from base: Snapshot, skipping commit: Snapshot?)
}

extension CallbackObserver: ObserverHandle {
  package func suspend(at base: Snapshot) { subscription.suspend(at: base) }

  package func resume(from base: Snapshot, skipping commit: Snapshot?) {
    subscription.resume(from: base, skipping: commit)
    // What others committed meanwhile was held back.
    enqueue()
  }
}
