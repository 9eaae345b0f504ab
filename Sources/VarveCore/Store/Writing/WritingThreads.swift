import VarveLocks
import VarveStorage

/// Ends the writes that a thread has begun when the thread exits.
///
/// No other thread could commit them. A later thread may also have the identity of a thread that
/// has exited, and would then be inside its write.
///
/// Thread safety: a lock guards the stores; each thread changes its own entry only.
enum WritingThreads {
  private struct WeakStore {
    weak var store: Store?
  }

  /// The stores in which each thread, by its identity, has begun a write.
  private static let stores = Lock<[UInt: [WeakStore]]>([:])

  /// Records that the calling thread begins a write.
  ///
  /// - Complexity: O(stores that the thread writes to).
  static func note(_ store: Store) {
    stores.withLock { stores in
      let own = stores[ThreadIdentity.current, default: []]
      guard !own.contains(where: { $0.store === store }) else { return }
      stores[ThreadIdentity.current] = own.filter { $0.store != nil } + [WeakStore(store: store)]
    }
    ThreadIdentity.callAtEnd { WritingThreads.end() }
  }

  /// Rolls back the writes that the calling thread has begun and not ended.
  private static func end() {
    let own = stores.withLock { $0.removeValue(forKey: ThreadIdentity.current) } ?? []
    for store in own.compactMap(\.store) { store.cancelWriteOfEndingThread() }
  }
}
