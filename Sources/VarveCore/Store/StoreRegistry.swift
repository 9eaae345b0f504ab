import Glibc
import VarveLocks
import VarveStorage

/// The open stores of the process, one per file.
///
/// The caller that opens a store prepares it; the store then stays open until it is closed. A store
/// whose preparation failed is closed again, unless another caller uses it.
///
/// Thread safety: a lock guards the stores. Files are opened one after another under a separate
/// lock, because opening may take long and must not block access to stores that are open.
package final class StoreRegistry: Sendable {
  package static let shared = StoreRegistry()

  private struct Entry {
    let store: Store
    /// The number of callers that are preparing the store.
    var openings = 1
    /// Whether a caller has prepared the store.
    var isKept = false
  }

  /// Guards the stores, by path or in-memory identifier.
  private let stores = Lock<[String: Entry]>([:])
  /// Locked while a file is opened or removed. `stores` is locked inside it.
  private let opening = Lock<Void>(())

  /// Returns the store of a file and keeps it open. The first call opens it.
  ///
  /// - Throws: The errors of ``beginOpening(_:)``.
  package func open(_ options: StoreOptions) throws(Failure) -> Store {
    let store = try beginOpening(options)
    endOpening(store, keeping: true)
    return store
  }

  /// Returns the store of a file, opened by the first call. The caller prepares it and then calls
  /// ``endOpening(_:keeping:)``.
  ///
  /// - Throws: `.invalidInput` for invalid options, `.alreadyOpen` when it is open with
  ///   incompatible options, `.cancelled` when the watch of the options was stopped, or the error
  ///   of opening the file.
  package func beginOpening(_ options: StoreOptions) throws(Failure) -> Store {
    try options.check()
    if let shared = sharedStore(options) { return try shared.get() }
    // The lock is released between attempts.
    let result = try Environment.retryingWhileHeld {
      (mayWait) throws(Failure) -> Result<Store, Failure>? in
      try withOpening(options) { openOnce(options, mayWait: mayWait) }
    }
    return try result.get()
  }

  /// Runs a closure that opens a file, while no other file is being opened.
  ///
  /// - Returns: nil when values of the file are held, and `mayWait` is true.
  private func openOnce(_ options: StoreOptions, mayWait: Bool) -> Result<Store, Failure>? {
    // Another thread may have opened it meanwhile.
    if let shared = sharedStore(options) { return shared }
    do throws(Failure) {
      let environment = try Failure.translating(
        try Environment.open(options.environment, mayWait: mayWait))
      guard let environment else { return nil }
      let store = try Store(options: options, environment)
      if options.checksOnOpening { try store.checkAtOpening() }
      let kept = keep(store, options)
      if case .success(let store) = kept {
        Housekeeper.shared.moveViewsOfClosedStores(of: store.environment)
      }
      return kept
    } catch {
      return .failure(error)
    }
  }

  /// Runs a body with the lock on openings.
  ///
  /// - Throws: `.cancelled` when the watch of the options was stopped: another opening may take long.
  private func withOpening<R>(
    _ options: StoreOptions, _ body: () -> R
  ) throws(Failure) -> R {
    guard let watch = options.workWatch else { return opening.withLock { _ in body() } }
    while true {
      try watch.check(path: options.path)
      if let result = opening.withLockIfAvailable({ _ in body() }) { return result }
      usleep(1000)
    }
  }

  /// Returns the store that is open under the path of the options, or nil when there is none.
  private func sharedStore(_ options: StoreOptions) -> Result<Store, Failure>? {
    let key = options.registryKey
    // Released after the lock.
    var closed: Entry?
    let result = stores.withLock { stores -> Result<Store, Failure>? in
      // A store that was closed without the registry must not be returned.
      if let entry = stores[key], entry.store.isClosed {
        closed = entry
        stores[key] = nil
      }
      return stores[key].map { StoreRegistry.share($0, at: key, in: &stores, for: options) }
    }
    return withExtendedLifetime(closed) { result }
  }

  /// Enters a store that was just opened, unless another store uses the same environment.
  private func keep(_ store: Store, _ options: StoreOptions) -> Result<Store, Failure> {
    let result = stores.withLock { stores -> Result<Store, Failure> in
      // The same file under another path is the same environment, and so the same store.
      guard store.environment.isOpenedAgain,
        let (twin, entry) = stores.first(where: {
          $0.value.store.environment === store.environment && !$0.value.store.isClosed
        })
      else {
        stores[options.registryKey] = Entry(store: store)
        store.logOpened()
        return .success(store)
      }
      do throws(Failure) {
        try store.closeFile()
      } catch {
        return .failure(error)
      }
      return StoreRegistry.share(entry, at: twin, in: &stores, for: options)
    }
    if store.isClosed { store.endUse() }
    return result
  }

  /// Ends the opening that ``beginOpening(_:)`` began.
  ///
  /// `keeping`: Whether the store stays open. Otherwise it is closed when no other caller uses it.
  package func endOpening(_ store: Store, keeping: Bool) {
    // Before the lock is taken: a run calls defaults of models, which may open stores.
    if !keeping { store.defaultFiller.stop() }
    defer { if !keeping, !store.isClosed { store.defaultFiller.resume() } }
    let isClosed = stores.withLock { stores -> Bool in
      let key = store.options.registryKey
      guard var entry = stores[key], entry.store === store else { return false }
      entry.openings -= 1
      entry.isKept = entry.isKept || keeping
      stores[key] = entry
      guard !entry.isKept, entry.openings == 0 else { return false }
      // A store with a running write stays open: a caller that found it in the registry uses it.
      guard (try? store.closeFile()) != nil else { return false }
      store.logClosed()
      stores[key] = nil
      return true
    }
    if isClosed { store.endUse() }
  }

  /// Whether another caller uses a store that this caller is preparing.
  package func isShared(_ store: Store) -> Bool {
    stores.withLock { stores in
      guard let entry = stores[store.options.registryKey], entry.store === store else {
        return false
      }
      return entry.isKept || entry.openings > 1
    }
  }

  /// Returns an open store, unless the options are incompatible with its own.
  private static func share(
    _ entry: Entry, at key: String, in stores: inout [String: Entry], for options: StoreOptions
  ) -> Result<Store, Failure> {
    guard entry.store.options.agrees(with: options) else {
      return .failure(
        Failure(.alreadyOpen, "The file is open with other options.", path: options.path))
    }
    stores[key]?.openings += 1
    return .success(entry.store)
  }

  /// Returns the store of a file, if it is open under the path of the options.
  package func openStore(_ options: StoreOptions) -> Store? {
    stores.withLock { $0[options.registryKey]?.store }
  }

  /// Removes the files of a store that is not open.
  ///
  /// Waits for up to a second while values of the closed store are held.
  ///
  /// - Returns: Whether there were any files.
  /// - Throws: `.alreadyOpen` when it is open in this or another process, or the error of removing
  ///   the files.
  package func remove(_ options: StoreOptions) throws(Failure) -> Bool {
    // Under the lock, so that no other thread opens it meanwhile.
    let result = Environment.retryingWhileHeld { mayWait in
      opening.withLock { _ in removeOnce(options, mayWait: mayWait) }
    }
    return try result.get()
  }

  /// - Returns: nil when values of the store are held, and `mayWait` is true.
  private func removeOnce(_ options: StoreOptions, mayWait: Bool) -> Result<Bool, Failure>? {
    guard openStore(options) == nil else {
      return .failure(
        Failure(.alreadyOpen, "This process has the store open.", path: options.path))
    }
    do throws(StorageError) {
      return try Environment.remove(options.environment, mayWait: mayWait).map { .success($0) }
    } catch {
      return .failure(Failure(error))
    }
  }

  /// The stores that are open now.
  var openStores: [Store] { stores.withLock { $0.values.map(\.store) } }

  /// Closes a store for the process. Does nothing when the store is already closed.
  ///
  /// - Throws: `.busy` while a write transaction runs.
  package func close(_ store: Store) throws(Failure) {
    // Before the lock is taken: a run calls defaults of models, which may open stores.
    store.defaultFiller.stop()
    defer { if !store.isClosed { store.defaultFiller.resume() } }
    // Under the lock, so that no caller receives a store that has just been closed.
    let result: Result<Bool, Failure> = stores.withLock { stores in
      // If the file was opened again meanwhile, another store uses the same environment.
      let key = store.options.registryKey
      guard stores[key]?.store === store else { return .success(false) }
      do throws(Failure) {
        try store.closeFile()
      } catch {
        return .failure(error)
      }
      stores[key] = nil
      // The table of many stores is not kept for a few.
      if stores.isEmpty { stores = [:] }
      store.logClosed()
      return .success(true)
    }
    if try result.get() { store.endUse() }
  }
}

extension StoreOptions {
  /// The key of the store in the registry.
  fileprivate var registryKey: String { (isInMemory ? "memory:" : "") + path }

  /// Whether a store opened with these options can be shared with a caller that specifies `other`.
  func agrees(with other: StoreOptions) -> Bool {
    isReadOnly == other.isReadOnly
      && durability == other.durability
  }
}
