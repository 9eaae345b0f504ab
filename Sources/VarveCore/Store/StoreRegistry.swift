import Glibc
import Synchronization
import VarveStorage

/// The open stores of the process: one for a file.
///
/// A store is opened, made ready by the one who opens it, and then kept until it is closed. One that could not be made
/// ready is closed again, unless somebody else has it.
///
/// Thread safety: a lock guards the stores. Files are opened one after another, under a lock of its own: an opening may
/// take long, and keeps nobody from a store that is open.
package final class StoreRegistry: Sendable {
  package static let shared = StoreRegistry()

  private struct Entry {
    let store: Store
    /// How many are making it ready.
    var openings = 1
    /// Whether somebody has made it ready.
    var isKept = false
  }

  /// Guards the stores, by the path or the identifier in memory.
  private let stores = Mutex<[String: Entry]>([:])
  /// Held while a file is opened or removed. `stores` is taken inside it.
  private let opening = Mutex<Void>(())

  /// The store of a file, opened by the first call, and kept.
  ///
  /// - Throws: as ``beginOpening(_:)``.
  package func open(_ options: StoreOptions) throws(Failure) -> Store {
    let store = try beginOpening(options)
    endOpening(store, keeping: true)
    return store
  }

  /// The store of a file, opened by the first call, for somebody who makes it ready and then calls
  /// ``endOpening(_:keeping:)``.
  ///
  /// - Throws: `.invalidInput` for options that make no sense, `.alreadyOpen` when it is open with options
  ///   that do not go together with these, `.cancelled` when their watch was stopped, or why it cannot be opened.
  package func beginOpening(_ options: StoreOptions) throws(Failure) -> Store {
    try options.check()
    if let shared = sharedStore(options) { return try shared.get() }
    let deadline = ContinuousClock.now + Environment.heldTimeout
    while true {
      let mayWait = ContinuousClock.now < deadline
      let result = try withOpening(options) { openOnce(options, mayWait: mayWait) }
      if let result { return try result.get() }
      try options.copyWatch?.check(path: options.path)
      usleep(200)
    }
  }

  /// Opens a file while nobody else does.
  ///
  /// - Returns: nil when values of the file are held, and `mayWait` is true.
  private func openOnce(_ options: StoreOptions, mayWait: Bool) -> Result<Store, Failure>? {
    // Another thread may have opened it meanwhile.
    if let shared = sharedStore(options) { return shared }
    do throws(Failure) {
      let environment = try Failure.translating(
        try Environment.open(options.environment, mayWait: mayWait))
      guard let environment else { return nil }
      let kept = keep(try Store(options: options, environment), options)
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
    guard let watch = options.copyWatch else { return opening.withLock { _ in body() } }
    while true {
      try watch.check(path: options.path)
      if let result = opening.withLockIfAvailable({ _ in body() }) { return result }
      usleep(1000)
    }
  }

  /// A store that is open under the path of the options; nil when there is none.
  private func sharedStore(_ options: StoreOptions) -> Result<Store, Failure>? {
    let key = options.registryKey
    return stores.withLock { stores in
      // A store that was closed without the registry must not be given to anybody.
      if stores[key]?.store.isClosed == true { stores[key] = nil }
      return stores[key].map { StoreRegistry.share($0, at: key, in: &stores, for: options) }
    }
  }

  /// Notes a store that was just opened, unless another one has its environment.
  private func keep(_ store: Store, _ options: StoreOptions) -> Result<Store, Failure> {
    stores.withLock { stores in
      // The same file under another path is the same environment, and so the same store.
      guard
        let (twin, entry) = stores.first(where: {
          $0.value.store.environment === store.environment && !$0.value.store.isClosed
        })
      else {
        stores[options.registryKey] = Entry(store: store)
        store.logOpened()
        return .success(store)
      }
      do throws(Failure) {
        try store.close()
      } catch {
        return .failure(error)
      }
      return StoreRegistry.share(entry, at: twin, in: &stores, for: options)
    }
  }

  /// Ends what ``beginOpening(_:)`` began.
  ///
  /// `keeping`: whether the store stays open; otherwise it is closed when nobody else has it.
  package func endOpening(_ store: Store, keeping: Bool) {
    stores.withLock { stores in
      guard let key = stores.first(where: { $0.value.store === store })?.key,
        var entry = stores[key]
      else { return }
      entry.openings -= 1
      entry.isKept = entry.isKept || keeping
      stores[key] = entry
      guard !entry.isKept, entry.openings == 0 else { return }
      // A store that somebody writes to stays: one who found it in the registry.
      guard (try? store.close()) != nil else { return }
      store.logClosed()
      stores[key] = nil
    }
  }

  /// Whether somebody else has a store that the caller is making ready.
  package func isShared(_ store: Store) -> Bool {
    stores.withLock { stores in
      stores.values.contains { $0.store === store && ($0.isKept || $0.openings > 1) }
    }
  }

  /// A store that is open, unless the options do not go together with its own.
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

  /// The store of a file, if it is open under the path that the options name.
  package func openStore(_ options: StoreOptions) -> Store? {
    stores.withLock { $0[options.registryKey]?.store }
  }

  /// Removes the files of a store that is not open.
  ///
  /// - Returns: whether there were any.
  /// Waits for up to a second while values of the closed store are held.
  ///
  /// - Throws: `.alreadyOpen` when it is open, in this or another process; why the files cannot be removed.
  package func remove(_ options: StoreOptions) throws(Failure) -> Bool {
    let deadline = ContinuousClock.now + Environment.heldTimeout
    while true {
      let mayWait = ContinuousClock.now < deadline
      // Under the lock, so that nobody opens it meanwhile.
      let result = opening.withLock { _ in removeOnce(options, mayWait: mayWait) }
      if let result { return try result.get() }
      usleep(200)
    }
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

  /// Closes a store for the process; nothing happens when somebody else has closed it.
  ///
  /// - Throws: `.busy` while a write transaction runs.
  package func close(_ store: Store) throws(Failure) {
    // Under the lock, so that nobody is given a store that has just been closed.
    let result: Result<Void, Failure> = stores.withLock { stores in
      // Whoever opened the file meanwhile has another store, of the same environment.
      guard stores.contains(where: { $0.value.store === store }) else { return .success(()) }
      do throws(Failure) {
        try store.close()
      } catch {
        return .failure(error)
      }
      stores = stores.filter { $0.value.store !== store }
      store.logClosed()
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
