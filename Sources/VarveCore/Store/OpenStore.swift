import Synchronization

/// Finds a store while it is open, and keeps it from nothing afterwards.
///
/// It stands where a weak reference would: the first weak reference to an object makes each later count of its
/// references take a slow path of the runtime, and those of the store are counted by every read and write (a list grew
/// a third more slowly).
///
/// Thread safety: a lock guards the store.
package final class OpenStore: Sendable {
  /// The store from the end of its opening until it is closed.
  private let held = Mutex<Store?>(nil)

  init() {}

  /// The store; nil once it is closed.
  package var store: Store? { held.withLock { $0 } }

  /// Ties a store that is open now, or unties the one that is closed.
  func set(_ store: Store?) { held.withLock { $0 = store } }
}
