package import Dispatch
package import Logging
import Synchronization
import VarveEncoding
package import VarveStorage

/// An open file: its environment, what is known of its schema, its views and its writers.
///
/// There is one store for a file in a process; configurations of one file share it.
///
/// Thread safety: any thread may use it. What is mutable lies behind the lock named beside it, or
/// belongs to the thread that runs the write transaction.
///
/// Processes: any number of processes may hold stores of one file.
///
/// Nobody refers to it weakly: see ``OpenStore``.
package final class Store: Sendable {
  package let environment: Environment
  /// Finds the store as long as it is open.
  package let whileOpen = OpenStore()
  package let options: StoreOptions
  let views = ViewList()
  package let notifier: Notifier
  let differences = DifferenceCache()
  let answers = SharedAnswers()
  /// Where observers are called that name no place of their own.
  package let deliveryQueue = DispatchQueue(label: "varve.observers")
  let asyncWrites: AsyncWriteQueue
  let begunWrite = BegunWrite()
  let replacedViews = ReplacedViews()
  let highestIDs = HighestIDs()
  let told = ToldOnce()
  let watched = WatchedStore()
  let frozenPins = FrozenPins()
  let pinsWarnedOf = PinsWarnedOf()
  /// Guards what the store was opened with, as the public interface knows it.
  private let openedWith = Mutex<(any Sendable)?>(nil)
  let fileKey: FileKey
  package let logger: Logger

  /// The thread that runs a write transaction of this store, as `ThreadIdentity`; 0: none.
  let writingThread = Atomic<UInt>(0)
  // Safe because only the thread named by `writingThread` reads or writes it.
  nonisolated(unsafe) private var running: Transaction?
  /// The same once more, for uses that must not count references.
  @exclusivity(unchecked)
  nonisolated(unsafe) private var runningReference: Unmanaged<Transaction>?

  // Safe because only who has the write lock reads or writes it.
  @exclusivity(unchecked)
  nonisolated(unsafe) private var scratch: ScratchBuffers?

  private struct SchemaState {
    var schema = FileSchema.empty
    /// Every binding ever made: handles refer to them without counting references.
    var everyBinding: [ClassBinding] = []
    /// Model hashes found compatible. While the schema's version is the same it only grows, by whichever
    /// process: they stay so.
    var checkedModels: Set<SchemaHash> = []
  }
  /// Guards what is known of the schema.
  private let schemaState = Mutex(SchemaState())
  /// The newest binding of each model class.
  private let bindings = BindingTable()
  /// The generation of the known schema, to compare without the lock.
  private let knownGeneration = Atomic<UInt64>(0)
  /// Class tables with ids up to this are open for writing. Only writers touch it.
  let openedTables = Atomic<UInt32>(0)
  let classesToCome = ClassesToCome()
  /// The schema version that programs of this process know; `.max`: they follow any.
  let knownVersion = Atomic<UInt64>(.max)
  /// Guards who knows it.
  let versionClaim = Mutex(VersionClaim())
  private let isClosedFlag = Atomic<Bool>(false)
  /// Held while the store ends its opening of the environment.
  private let closing = Mutex<Void>(())

  /// Opens the file, creating it when it does not exist.
  ///
  /// - Throws: a failure that names the path.
  package init(options: StoreOptions) throws(Failure) {
    self.options = options
    logger = options.storeLogger
    asyncWrites = AsyncWriteQueue(timeout: options.writeTimeout, path: options.path)
    do throws(StorageError) {
      environment = try Environment.open(options.environment)
    } catch {
      throw Failure(error)
    }
    notifier = Notifier(environment.commitSignal)
    fileKey = FileKey(low: environment.fileKey.first, high: environment.fileKey.second)
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

  // MARK: Versions

  /// The newest version, shared by all who read it.
  package func newestSnapshot() throws(Failure) -> Snapshot {
    let snapshot = try snapshotOfFile()
    // The file may be open once more, by another store than this.
    if _slowPath(isClosed) { throw closedFailure }
    return try adoptingSchema(of: snapshot)
  }

  /// As ``newestSnapshot()``, and also when this store is closed while another one has the file open.
  func newestSnapshotWhileClosed() throws(Failure) -> Snapshot {
    try adoptingSchema(of: try snapshotOfFile())
  }

  @inline(__always)
  private func snapshotOfFile() throws(Failure) -> Snapshot {
    try checkSound()
    do throws(StorageError) {
      return try environment.snapshot()
    } catch {
      throw Failure(error)
    }
  }

  /// Takes the schema of a version as the newest known one, if it is.
  @inline(__always)
  private func adoptingSchema(of snapshot: Snapshot) throws(Failure) -> Snapshot {
    if _slowPath(snapshot.root.schemaGeneration > knownGeneration.load(ordering: .acquiring)) {
      try checkVersion(snapshot.root)
      try adoptSchema(of: snapshot, snapshot.root)
    }
    return snapshot
  }

  /// A view of the newest version; `isTracking`: one that tracks reads inside `withObservationTracking`.
  package func makeView(isTracking: Bool = false) throws(Failure) -> View {
    View(store: self, snapshot: try newestSnapshot(), isTracking: isTracking)
  }

  /// A view that is moved, on a queue or an actor, when anybody commits.
  package func makeView(
    refreshedAt place: DeliveryPlace, isTracking: Bool = false
  ) throws(Failure) -> View {
    let view = View(
      store: self, snapshot: try newestSnapshot(), refreshedAt: place, isTracking: isTracking)
    if let refresher = view.refresher { try notifier.add(refresher, of: self) }
    // A commit that came before the view was watched.
    _ = try view.refresh()
    return view
  }

  /// Throws `.corrupted` when damaged bytes were met before, here or below.
  @inline(__always)
  package func checkSound() throws(Failure) {
    guard _fastPath(!environment.isDamaged) else { throw damagedFailure() }
  }

  private func damagedFailure() -> Failure {
    if isClosed { return closedFailure }
    let error = environment.damageError ?? Store.damage
    logDamage(error.page.map { "page \($0)" } ?? error.detail)
    var failure = Failure(error)
    failure.path = options.path
    return failure
  }

  /// Notes that bytes of the file are damaged: the next open, refresh or write throws.
  package func markDamaged(_ what: String) {
    // What a closed store reads may be gone, see `Environment.closeUnderSnapshots()`.
    if isClosed, environment.isDamaged { return }
    environment.markDamaged(Store.damage)
    logDamage(what)
  }

  private static let damage = StorageError(.corrupted, "A read met damaged bytes.")

  // MARK: Schema

  package var schema: FileSchema { schemaState.withLock { $0.schema } }

  /// The generation of ``schema``, without taking a lock.
  var schemaGeneration: UInt64 { knownGeneration.load(ordering: .acquiring) }

  /// Reads the schema of a version, or of a write transaction, and takes it as the newest known one.
  ///
  /// - Throws: `.corrupted` with the path.
  func adoptSchema(of reader: any TableReader, _ root: RootRecord) throws(Failure) {
    do throws(Failure) {
      adopt(try FileSchema.load(from: reader, root))
    } catch {
      var failure = error
      failure.path = options.path
      throw failure
    }
  }

  /// Takes a schema as the newest known one, unless a newer one is known already.
  func adopt(_ schema: FileSchema) {
    schemaState.withLock { state in
      guard schema.generation >= state.schema.generation else { return }
      if schema.version != state.schema.version { state.checkedModels.removeAll() }
      state.schema = schema
      knownGeneration.store(schema.generation, ordering: .releasing)
    }
  }

  /// The binding of a model class to what the file holds under its name.
  ///
  /// A class that the file does not know is remembered: the next write registers it.
  package func binding(for model: ClassDescription) -> ClassBinding {
    bindingReference(for: model).takeUnretainedValue()
  }

  /// As ``binding(for:)``, without counting references: the store keeps every binding.
  @inline(__always)
  func bindingReference(for model: ClassDescription) -> Unmanaged<ClassBinding> {
    if let binding = bindings.binding(at: model.modelIndex),
      binding._withUnsafeGuaranteedRef({ $0.generation })
        == knownGeneration.load(ordering: .acquiring)
    {
      return binding
    }
    let binding = provisionalBinding(for: model, schema: schema)
    bindings.store(binding, at: model.modelIndex)
    logMisfit(binding)
    return .passUnretained(binding)
  }

  /// Makes a binding against a transaction's own schema, which is not committed yet.
  func provisionalBinding(
    for model: ClassDescription, schema: FileSchema, token: TransactionToken? = nil
  ) -> ClassBinding {
    let binding = ClassBinding(model: model, in: schema, token: token)
    schemaState.withLock { $0.everyBinding.append(binding) }
    return binding
  }

  /// How many bindings were made: each stays as long as the store.
  package var bindingCount: Int { schemaState.withLock { $0.everyBinding.count } }

  /// Whether these models were compared with the file before, at this schema generation or an earlier one:
  /// what a change of the schema may add is bound anew, see ``binding(for:)``.
  func isChecked(_ hash: SchemaHash) -> Bool {
    schemaState.withLock { $0.checkedModels.contains(hash) }
  }

  func noteChecked(_ hash: SchemaHash) {
    schemaState.withLock { _ = $0.checkedModels.insert(hash) }
  }

  // MARK: The running transaction

  /// Whether the calling thread runs a write transaction of this store.
  @inline(__always)
  package var isWritingThread: Bool {
    writingThread.load(ordering: .relaxed) == ThreadIdentity.current
  }

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

  /// As ``runningTransaction(for:)``, of a view that takes part already, without counting references; nil too for
  /// one that does not take part as yet. The transaction lives until the thread ends it.
  @inline(__always)
  func runningReference(for pin: ViewPin) -> Unmanaged<Transaction>? {
    guard isWritingThread, let reference = runningReference,
      pin.lastTransaction.load(ordering: .relaxed)
        == reference._withUnsafeGuaranteedRef({ $0.serial })
    else { return nil }
    return reference
  }

  /// Ties a transaction, which holds the write lock, to the calling thread, or unties it.
  func setRunning(_ transaction: Transaction?) {
    if let transaction {
      running = transaction
      runningReference = .passUnretained(transaction)
      writingThread.store(ThreadIdentity.current, ordering: .releasing)
    } else {
      writingThread.store(0, ordering: .releasing)
      runningReference = nil
      running = nil
    }
  }

  /// What a write encodes in, with the write lock held.
  func takeScratch() -> ScratchBuffers {
    defer { scratch = nil }
    return scratch ?? ScratchBuffers()
  }

  /// Keeps what a write has encoded in for the next one, with the write lock held.
  func keepScratch(_ scratch: ScratchBuffers) {
    self.scratch = scratch.isSmall ? scratch : nil
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
      isClosedFlag.store(true, ordering: .releasing)
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

  var closedFailure: Failure { Failure(.closed, "The store is closed.", path: options.path) }

  package var isClosed: Bool { isClosedFlag.load(ordering: .acquiring) }
}
