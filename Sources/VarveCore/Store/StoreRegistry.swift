import Synchronization
import VarveStorage

/// The open stores of the process: one for a file.
///
/// Thread safety: a lock guards the stores; files are opened under it, one after another.
package final class StoreRegistry: Sendable {
  package static let shared = StoreRegistry()

  /// Guards the stores, by the path or the identifier in memory.
  private let stores = Mutex<[String: Store]>([:])

  /// The store of a file, opened by the first call.
  ///
  /// - Throws: `.alreadyOpen` when it is open with options that do not go together with these, or why it
  ///   cannot be opened.
  package func open(_ options: StoreOptions) throws(Failure) -> Store {
    let key = (options.isInMemory ? "memory:" : "") + options.path
    let result: Result<Store, Failure> = stores.withLock { stores in
      if let store = stores[key] {
        return store.options.agrees(with: options)
          ? .success(store)
          : .failure(
            Failure(
              .alreadyOpen, "The file is open with other options.",
              path: options.path))
      }
      do throws(Failure) {
        let store = try Store(options: options)
        // The same file under another path is the same environment, and so the same store.
        if let twin = stores.values.first(where: { $0.environment === store.environment }) {
          return .success(twin)
        }
        stores[key] = store
        return .success(store)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Closes a store for the process.
  ///
  /// - Throws: `.busy` while a write transaction runs.
  package func close(_ store: Store) throws(Failure) {
    try store.close()
    stores.withLock { stores in stores = stores.filter { $0.value !== store } }
  }
}

extension StoreOptions {
  /// Whether a store opened with these options serves for others.
  func agrees(with other: StoreOptions) -> Bool {
    isReadOnly == other.isReadOnly
      && durability == other.durability
  }
}
