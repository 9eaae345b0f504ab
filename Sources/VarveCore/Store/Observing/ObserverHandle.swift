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
  func holdBack(at base: Snapshot)

  /// Goes on after `holdBack(at:)`.
  ///
  /// - Parameters:
  ///   - base: the version that was given there.
  ///   - commit: the version that was committed, which is left out; nil after a roll-back.
  func goOn(from base: Snapshot, leavingOut commit: Snapshot?)
}

extension CallbackObserver: ObserverHandle {
  package func holdBack(at base: Snapshot) { subscription.holdBack(at: base) }

  package func goOn(from base: Snapshot, leavingOut commit: Snapshot?) {
    subscription.goOn(from: base, leavingOut: commit)
    // What others committed meanwhile was held back.
    enqueue()
  }
}
