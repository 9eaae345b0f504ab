import Synchronization
import VarveStorage

/// Ends the writes that a thread has begun when the thread ends.
///
/// Nobody else could commit them; and a later thread may have the identity of one that has ended, and would find itself
/// inside its write.
///
/// Thread safety: a lock guards the stores; each thread changes its own entry only.
enum WritingThreads {
  private struct WeakStore {
    weak var store: Store?
  }

  /// The stores that each thread, by its identity, has begun a write in.
  private static let stores = Mutex<[UInt: [WeakStore]]>([:])

  /// Notes that the calling thread begins a write.
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

  /// Rolls back what the calling thread has begun and not ended.
  private static func end() {
    let own = stores.withLock { $0.removeValue(forKey: ThreadIdentity.current) } ?? []
    for store in own.compactMap(\.store) { store.cancelWriteOfEndingThread() }
  }
}
