package import Dispatch
import Logging
import Synchronization
import VarveEncoding
import VarveLocks
import VarveStorage

/// An open file with its views, its writers and its observers.
///
/// A process has one store per file; configurations of the same file share it.
///
/// Thread safety: any thread may use it. Mutable state is guarded by the lock documented next to
/// it, or belongs to the thread that runs the write transaction.
///
/// There are no weak references to a store; see ``OpenStore``.
package final class Store: StoreFile, @unchecked Sendable {
  // Safe for the same reason as `StoreFile`.

  /// The reference to this store that is cleared when it is closed.
  package let openReference = OpenStore()
  let views = ViewList()
  let idleViews: IdleViews
  package let notifier: Notifier
  let differences = DifferenceCache()
  let answers = SharedAnswers()
  /// The queue on which observers are called that specify neither queue nor actor.
  package let deliveryQueue = DispatchQueue(label: "varve.observers")
  let asyncWrites: AsyncWriteQueue
  let begunWrite = BegunWrite()
  let replacedViews = ReplacedViews()
  let writer = WriterState()
  let watched = WatchedStore()
  let frozenPins = FrozenPins()
  let defaultFiller = DefaultFiller()
  let pinsWarnedOf = ReportedPins()
  package let events: StoreEvents
  /// Guards the configuration that the public interface opened the store with.
  private let openedWith = Lock<(any Sendable)?>(nil)

  // Safe because only the thread named by `writingThread` reads or writes it.
  nonisolated(unsafe) private var running: Transaction?
  /// The same transaction, for uses that must not count references.
  @exclusivity(unchecked)
  nonisolated(unsafe) private(set) var runningReference: Unmanaged<Transaction>?

  /// Locked while the store closes the environment.
  private let closing = Lock<Void>(())

  /// Opens the file, creating it when it does not exist.
  ///
  /// - Throws: a failure that names the path.
  package convenience init(options: StoreOptions) throws(Failure) {
    try self.init(
      options: options, try Failure.translating(try Environment.open(options.environment)))
  }

  /// Opens a store on the environment of its file.
  init(options: StoreOptions, _ environment: Environment) throws(Failure) {
    let events = StoreEvents()
    self.events = events
    asyncWrites = AsyncWriteQueue(
      timeout: options.writeTimeout, path: options.path, events: events)
    notifier = Notifier(environment.commitSignal)
    idleViews = IdleViews(limit: options.idleLimit, of: openReference)
    super.init(environment, options)
    do throws(Failure) {
      _ = try newestSnapshot()
    } catch {
      giveBack()
      throw error
    }
    openReference.set(self)
    Housekeeper.shared.watch(self)
    watchGrowth()
  }

  /// The configuration that the public interface opened the store with. Only the first assignment
  /// has an effect.
  package var configuration: (any Sendable)? {
    get { openedWith.withLock { $0 } }
    set { openedWith.withLock { $0 = $0 ?? newValue } }
  }

  // MARK: Views

  /// Makes a view of the newest version.
  ///
  /// - Parameters:
  ///   - executor: The queue or actor that moves the view after each commit, or nil for none.
  ///   - isTracking: Whether reads inside `withObservationTracking` are tracked.
  /// - Throws: `.closed`, or the error of reading the newest version.
  package func makeView(
    refreshedAt executor: DeliveryExecutor? = nil, isTracking: Bool = false
  ) throws(Failure) -> View {
    let view = View(
      store: self, snapshot: try newestSnapshot(), refreshedAt: executor, isTracking: isTracking)
    guard executor != nil, let refresher = view.refresher else { return view }
    try notifier.add(refresher, of: self)
    // The notifier may have missed a commit made before the view was added.
    _ = try view.refresh()
    return view
  }

  // MARK: The running transaction

  /// Returns the transaction of the calling thread, in which the view takes part from now on.
  ///
  /// - Precondition: `isWritingThread`.
  package func runningTransaction(for view: View?) -> Transaction? {
    guard isWritingThread, let transaction = running else { return nil }
    if let view { transaction.join(view) }
    return transaction
  }

  /// Returns the view of `Realm()` inside the calling thread's write.
  ///
  /// A thread may have begun a write without owning a view of it. When another thread drops the
  /// last view, it ends the write, and the calling thread is then outside of it.
  ///
  /// - Parameter isTracking: Whether the view tracks reads.
  /// - Returns: The view, or nil outside a write.
  package func writingView(isTracking: Bool) -> View? {
    guard isWritingThread else { return nil }
    // `borrowed` is returned as well, so that a view which another thread drops meanwhile is
    // released outside the lock: its deinitializer takes the lock.
    let made = begunWrite.makeView { transaction -> (View?, View) in
      let borrowed = transaction.borrowedView
      return (borrowed, transaction.writingView(isTracking: isTracking))
    }
    if let made { return made.1 }
    guard !begunWrite.waitForRollBack(), isWritingThread else { return nil }
    return running?.writingView(isTracking: isTracking)
  }

  /// Attaches a transaction, which owns the write lock, to the calling thread; nil detaches it.
  func setRunning(_ transaction: Transaction?) {
    if let transaction {
      transaction.isManaged = true
      running = transaction
      runningReference = .passUnretained(transaction)
      writingThread.store(ThreadIdentity.current, ordering: .releasing)
    } else {
      writingThread.store(0, ordering: .releasing)
      runningReference = nil
      running = nil
    }
  }

  // MARK: Closing

  /// Closes the file for this process.
  ///
  /// - Throws: `.busy` while a write transaction runs, `.closed` when the store is already closed.
  package func close() throws(Failure) {
    try closeFile()
    endUse()
  }

  /// Closes the file, and leaves the observers to ``endUse()``. It calls no code of the program.
  ///
  /// - Throws: The errors of ``close()``.
  func closeFile() throws(Failure) {
    defaultFiller.stop()
    let result: Result<Void, Failure> = closing.withLock { _ in
      // Another store may have opened the file again: this store closes its own opening, once.
      guard !isClosed else { return .failure(closedFailure) }
      do throws(StorageError) {
        try environment.close()
      } catch {
        return .failure(Failure(error))
      }
      closedFlag.store(true, ordering: .releasing)
      return .success(())
    }
    do throws(Failure) {
      try result.get()
    } catch {
      defaultFiller.resume()
      throw error
    }
  }

  /// Ends the observers of a closed store, and releases their closures. Call it without a lock: the
  /// deinitializer of an object that a closure captured may open a store.
  func endUse() {
    openReference.set(nil)
    notifier.stop()
    differences.clear(isClosing: true)
    Housekeeper.shared.noteClosed(self)
  }

  /// Closes a file that cannot be used.
  private func giveBack() {
    do throws(StorageError) {
      try environment.close()
    } catch {
      log(.error, "A file that could not be used was not closed.", error.description)
    }
  }
}
