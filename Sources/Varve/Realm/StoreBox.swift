import VarveCore
import VarveLocks

/// A reference to the open store, shared by a configuration and its copies.
///
/// The reference does not retain the store: the store keeps the configuration that it was opened
/// with.
///
/// Thread safety: a lock guards the result of the last opening.
final class StoreBox: @unchecked Sendable {
  /// Guards `reference`, which every opening of a view reads.
  private let lock = BriefLock()
  // Safe because it is read and written under the lock only.
  private var reference: OpenStore?

  /// The store, while it is open.
  var open: Store? { lock.withLock { reference }?.store }

  func set(_ store: Store) {
    let old = lock.withLock {
      let old = reference
      reference = store.openReference
      return old
    }
    withExtendedLifetime(old) {}
  }
}
