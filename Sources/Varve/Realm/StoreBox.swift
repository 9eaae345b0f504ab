import VarveCore

/// Remembers the store of a configuration and its copies, and keeps it from nothing: the store remembers the
/// configuration that it was opened with.
///
/// Thread safety: a lock guards what the last opening gave.
final class StoreBox: @unchecked Sendable {
  /// Guards `home`, which every view that is opened asks for.
  private let lock = BriefLock()
  // Safe because it is read and written under the lock only.
  private var home: OpenStore?

  /// The store, while it is open.
  var open: Store? { lock.withLock { home }?.store }

  func set(_ store: Store) {
    let old = lock.withLock {
      let old = home
      home = store.whileOpen
      return old
    }
    withExtendedLifetime(old) {}
  }
}
