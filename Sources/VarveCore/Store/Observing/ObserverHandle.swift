package import VarveStorage

/// A type-erased observer, owned by a notification token.
package protocol ObserverHandle: Sendable {
  /// The observed store.
  var store: Store { get }

  /// Ends the observer: no callback begins afterwards.
  @discardableResult
  func invalidate() -> Bool

  /// Suspends deliveries of versions after `base`, until the outcome of the commit that follows it
  /// is known.
  ///
  /// - Precondition: The thread is in the write transaction that makes the commit.
  func suspend(at base: Snapshot)

  /// Resumes deliveries after ``suspend(at:)``.
  ///
  /// - Parameters:
  ///   - base: The version passed to ``suspend(at:)``.
  ///   - commit: The committed version, which is skipped, or nil after a rollback.
  func resume(from base: Snapshot, skipping commit: Snapshot?)
}

extension CallbackObserver: ObserverHandle {
  package func suspend(at base: Snapshot) { subscription.suspend(at: base) }

  package func resume(from base: Snapshot, skipping commit: Snapshot?) {
    subscription.resume(from: base, skipping: commit)
    // Commits of other writers were suspended meanwhile.
    enqueue()
  }
}
