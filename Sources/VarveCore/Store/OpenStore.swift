/// Finds a store while it is open, and keeps it from nothing afterwards.
///
/// It stands where a weak reference would: the first weak reference to an object makes each later count of its
/// references take a slow path of the runtime, and those of the store are counted by every read and write (a list grew
/// a third more slowly).
///
/// Thread safety: a lock guards the store.
package final class OpenStore: @unchecked Sendable {
  /// Guards `held`, which every view that is opened asks for.
  private let lock = BriefLock()
  // Safe because it is read and written under the lock only.
  /// The store from the end of its opening until it is closed.
  private var held: Store?

  init() {}

  /// The store; nil once it is closed.
  package var store: Store? { lock.withLock { held } }

  /// Ties a store that is open now, or unties the one that is closed.
  func set(_ store: Store?) {
    // What was held may end with it, after the lock.
    let old = lock.withLock {
      let old = held
      held = store
      return old
    }
    withExtendedLifetime(old) {}
  }
}
