package import Dispatch
import Logging
import Synchronization
import VarveEncoding
import VarveStorage

/// An open file with its views, its writers and its observers.
///
/// There is one store for a file in a process; configurations of one file share it.
///
/// Thread safety: any thread may use it. What is mutable lies behind the lock named beside it, or
/// belongs to the thread that runs the write transaction.
///
/// Nobody refers to it weakly: see ``OpenStore``.
package final class Store: StoreFile, @unchecked Sendable {
  // Safe as `StoreFile` is.

  /// Finds the store as long as it is open.
  package let whileOpen = OpenStore()
  let views = ViewList()
  package let notifier: Notifier
  let differences = DifferenceCache()
  let answers = SharedAnswers()
  /// Where observers are called that name no place of their own.
  package let deliveryQueue = DispatchQueue(label: "varve.observers")
  let asyncWrites: AsyncWriteQueue
  let begunWrite = BegunWrite()
  let replacedViews = ReplacedViews()
  let writer = WriterState()
  let watched = WatchedStore()
  let frozenPins = FrozenPins()
  let pinsWarnedOf = ReportedPins()
  /// Guards what the store was opened with, as the public interface knows it.
  private let openedWith = Mutex<(any Sendable)?>(nil)

  // Safe because only the thread named by `writingThread` reads or writes it.
  nonisolated(unsafe) private var running: Transaction?
  /// The same once more, for uses that must not count references.
  @exclusivity(unchecked)
  nonisolated(unsafe) private(set) var runningReference: Unmanaged<Transaction>?

  /// Held while the store ends its opening of the environment.
  private let closing = Mutex<Void>(())

  /// Opens the file, creating it when it does not exist.
  ///
  /// - Throws: a failure that names the path.
  package convenience init(options: StoreOptions) throws(Failure) {
    try self.init(
      options: options, try Failure.translating(try Environment.open(options.environment)))
  }

  /// Opens a store on the environment of its file.
  init(options: StoreOptions, _ environment: Environment) throws(Failure) {
    asyncWrites = AsyncWriteQueue(timeout: options.writeTimeout, path: options.path)
    notifier = Notifier(environment.commitSignal)
    super.init(environment, options)
    do throws(Failure) {
      _ = try newestSnapshot()
    } catch {
      giveBack()
      throw error
    }
    whileOpen.set(self)
    Housekeeper.shared.watch(self)
    watchGrowth()
  }

  /// What the store was opened with, as the public interface knows it. It keeps what it is given first.
  package var configuration: (any Sendable)? {
    get { openedWith.withLock { $0 } }
    set { openedWith.withLock { $0 = $0 ?? newValue } }
  }

  // MARK: Views

  /// A view of the newest version.
  ///
  /// - Parameters:
  ///   - place: a queue or an actor, on which the view is moved when anybody commits; nil: none.
  ///   - isTracking: whether reads inside `withObservationTracking` are tracked.
  /// - Returns: the view.
  /// - Throws: `.closed`; why there is no newest version.
  package func makeView(
    refreshedAt place: DeliveryExecutor? = nil, isTracking: Bool = false
  ) throws(Failure) -> View {
    let view = View(
      store: self, snapshot: try newestSnapshot(), refreshedAt: place, isTracking: isTracking)
    guard place != nil, let refresher = view.refresher else { return view }
    try notifier.add(refresher, of: self)
    // A commit that came before the view was watched.
    _ = try view.refresh()
    return view
  }

  // MARK: The running transaction

  /// The transaction of the calling thread, which the view takes part in from now on.
  ///
  /// - Precondition: `isWritingThread`.
  package func runningTransaction(for view: View?) -> Transaction? {
    guard isWritingThread, let transaction = running else { return nil }
    if let view { transaction.join(view) }
    return transaction
  }

  /// The view of `Realm()` inside the calling thread's write.
  ///
  /// A thread may have no view of a write that it has begun: then another thread that drops the last one ends it, and
  /// the thread finds itself outside.
  ///
  /// - Parameter isTracking: whether it tracks reads.
  /// - Returns: the view; nil outside a write.
  package func writingView(isTracking: Bool) -> View? {
    guard isWritingThread else { return nil }
    // A view that another thread drops just now is released outside the lock: it would take it.
    let made = begunWrite.makeView { transaction -> (View?, View) in
      let lent = transaction.lentView
      return (lent, transaction.writingView(isTracking: isTracking))
    }
    if let made { return made.1 }
    guard !begunWrite.waitForRollBack(), isWritingThread else { return nil }
    return running?.writingView(isTracking: isTracking)
  }

  /// Ties a transaction, which holds the write lock, to the calling thread, or unties it.
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
  /// - Throws: `.busy` while a write transaction runs, `.closed` when it was closed before.
  package func close() throws(Failure) {
    let result: Result<Void, Failure> = closing.withLock { _ in
      // The file may be open again, by another store: this one ends its own opening, once.
      guard !isClosed else { return .failure(closedFailure) }
      do throws(StorageError) {
        try environment.close()
      } catch {
        return .failure(Failure(error))
      }
      closedFlag.store(true, ordering: .releasing)
      return .success(())
    }
    try result.get()
    whileOpen.set(nil)
    notifier.stop()
    differences.clear(isClosing: true)
    Housekeeper.shared.noteClosed(self)
  }

  /// Ends the opening of a file that cannot be used.
  private func giveBack() {
    do throws(StorageError) {
      try environment.close()
    } catch {
      log(.error, "A file that could not be used was not closed.", error.description)
    }
  }
}
