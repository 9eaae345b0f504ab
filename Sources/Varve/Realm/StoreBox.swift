import Synchronization
import VarveCore

/// Remembers the store of a configuration and its copies, and keeps it from nothing: the store remembers the
/// configuration that it was opened with.
///
/// Thread safety: a lock guards what the last opening gave.
final class StoreBox: Sendable {
  private let home = Mutex<OpenStore?>(nil)

  /// The store, while it is open.
  var open: Store? { home.withLock { $0 }?.store }

  func set(_ store: Store) { home.withLock { $0 = store.whileOpen } }
}
