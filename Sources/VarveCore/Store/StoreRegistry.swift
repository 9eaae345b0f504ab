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
  /// - Throws: `.invalidInput` for options that make no sense, `.alreadyOpen` when it is open with options
  ///   that do not go together with these, or why it cannot be opened.
  package func open(_ options: StoreOptions) throws(Failure) -> Store {
    try options.check()
    let key = options.registryKey
    let result: Result<Store, Failure> = stores.withLock { stores in
      if let store = stores[key] { return StoreRegistry.shared(store, for: options) }
      do throws(Failure) {
        let store = try Store(options: options)
        // The same file under another path is the same environment, and so the same store.
        if let twin = stores.values.first(where: { $0.environment === store.environment }) {
          try store.close()
          return StoreRegistry.shared(twin, for: options)
        }
        stores[key] = store
        return .success(store)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// A store that is open, unless the options do not go together with its own.
  private static func shared(_ store: Store, for options: StoreOptions) -> Result<Store, Failure> {
    store.options.agrees(with: options)
      ? .success(store)
      : .failure(Failure(.alreadyOpen, "The file is open with other options.", path: options.path))
  }

  /// The store of a file, if it is open under the path that the options name.
  package func openStore(_ options: StoreOptions) -> Store? {
    stores.withLock { $0[options.registryKey] }
  }

  /// Removes the files of a store that is not open.
  ///
  /// - Returns: whether there were any.
  /// - Throws: `.alreadyOpen` when it is open, in this or another process; why the files cannot be removed.
  package func remove(_ options: StoreOptions) throws(Failure) -> Bool {
    // Under the lock, so that nobody opens it meanwhile.
    let result: Result<Bool, Failure> = stores.withLock { stores in
      guard stores[options.registryKey] == nil else {
        return .failure(
          Failure(.alreadyOpen, "This process has the store open.", path: options.path))
      }
      do throws(StorageError) {
        return .success(try Environment.remove(options.environment))
      } catch {
        return .failure(Failure(error))
      }
    }
    return try result.get()
  }

  /// The stores that are open now.
  var openStores: [Store] { stores.withLock { Array($0.values) } }

  /// Closes a store for the process.
  ///
  /// - Throws: `.busy` while a write transaction runs.
  package func close(_ store: Store) throws(Failure) {
    // Under the lock, so that nobody is given a store that has just been closed.
    let result: Result<Void, Failure> = stores.withLock { stores in
      do throws(Failure) {
        try store.close()
      } catch {
        return .failure(error)
      }
      stores = stores.filter { $0.value !== store }
      return .success(())
    }
    try result.get()
  }
}

extension StoreOptions {
  /// What the registry knows the store by.
  fileprivate var registryKey: String { (isInMemory ? "memory:" : "") + path }

  /// Whether a store opened with these options serves for others.
  func agrees(with other: StoreOptions) -> Bool {
    isReadOnly == other.isReadOnly
      && durability == other.durability
  }
}
