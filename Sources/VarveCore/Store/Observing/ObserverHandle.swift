package import VarveStorage

/// An observer as its owner holds it.
package protocol ObserverHandle: SilencedObserver {
  /// The store that is observed.
  var store: Store { get }

  /// No callback begins after this.
  @discardableResult
  func invalidate() -> Bool
}

extension CallbackObserver: ObserverHandle {
  package func holdBack(at base: Snapshot) { subscription.holdBack(at: base) }

  package func goOn(from base: Snapshot, leavingOut commit: Snapshot?) {
    subscription.goOn(from: base, leavingOut: commit)
    // What others committed meanwhile was held back.
    enqueue()
  }
}
