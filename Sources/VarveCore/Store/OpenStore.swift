import VarveLocks

/// A reference to a store that is cleared when the store is closed.
///
/// It replaces a weak reference: once an object has a weak reference, every retain and release of
/// the object takes a slow path of the runtime. Every read and write retains and releases the store
/// (appending to a list became a third slower).
///
/// Thread safety: a lock guards the store.
package final class OpenStore: @unchecked Sendable {
  /// Guards `current`, which every opened view reads.
  private let lock = BriefLock()
  // Safe because it is read and written under the lock only.
  /// The store, from the end of its opening until it is closed.
  private var current: Store?

  init() {}

  /// The store, or nil once it is closed.
  package var store: Store? { lock.withLock { current } }

  /// Attaches an opened store, or detaches the closed one.
  func set(_ store: Store?) {
    // The old store may be deallocated, which must happen outside the lock.
    let old = lock.withLock {
      let old = current
      current = store
      return old
    }
    withExtendedLifetime(old) {}
  }
}
