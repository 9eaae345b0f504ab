package import Logging
import Synchronization
import VarveEncoding
package import VarveStorage

/// An open file and its schema: what reading needs of a store, and all that queries, comparisons of versions and
/// transactions know of it. ``Store`` adds views, writers and observers.
///
/// Thread safety: any thread may use it. Locks guard what is mutable.
///
/// Processes: any number of processes may have the file open.
package class StoreFile: @unchecked Sendable {
  // Safe because every property is immutable or guards itself, here and in `Store`.

  package final let environment: Environment
  /// Tells this opening of the file from every other one.
  final let identity = StoreIdentity()
  package final let options: StoreOptions
  final let fileKey: FileKey
  package final let logger: Logger
  final let loggedOnce = LogOnce()

  private struct SchemaState {
    var schema = FileSchema.empty
    /// Every binding ever made: handles refer to them without counting references.
    var everyBinding: [ClassBinding] = []
    /// Model hashes found compatible. While the schema's version is the same it only grows, by whichever
    /// process: they stay so.
    var checkedModels: Set<SchemaHash> = []
  }
  /// Guards what is known of the schema.
  private final let schemaState = Mutex(SchemaState())
  /// The newest binding of each model class.
  private final let bindings = BindingTable()
  /// The generation of the known schema, to compare without the lock.
  private final let knownGeneration = Atomic<UInt64>(0)
  /// The schema version that programs of this process know; `.max`: they follow any.
  final let knownVersion = Atomic<UInt64>(.max)
  /// Guards who knows it.
  final let versionClaim = Mutex(VersionClaim())
  /// The thread that runs a write transaction of this store, as `ThreadIdentity`; 0: none.
  final let writingThread = Atomic<UInt>(0)
  /// Whether this opening of the file was ended. The file may be open once more, by another store.
  final let closedFlag = Atomic<Bool>(false)

  init(_ environment: Environment, _ options: StoreOptions) {
    self.environment = environment
    self.options = options
    logger = options.storeLogger
    fileKey = FileKey(low: environment.fileKey.first, high: environment.fileKey.second)
  }

  /// Whether the calling thread runs a write transaction of this store.
  @inline(__always)
  package final var isWritingThread: Bool {
    writingThread.load(ordering: .relaxed) == ThreadIdentity.current
  }

  // MARK: Versions

  /// The newest version, shared by all who read it.
  package final func newestSnapshot() throws(Failure) -> Snapshot {
    let snapshot = try snapshotOfFile()
    // The file may be open once more, by another store than this.
    if _slowPath(isClosed) { throw closedFailure }
    return try adoptingSchema(of: snapshot)
  }

  /// As ``newestSnapshot()``, and also when this store is closed while another one has the file open.
  final func newestSnapshotWhileClosed() throws(Failure) -> Snapshot {
    try adoptingSchema(of: try snapshotOfFile())
  }

  @inline(__always)
  private final func snapshotOfFile() throws(Failure) -> Snapshot {
    try checkSound()
    return try Failure.translating(try environment.snapshot())
  }

  /// Takes the schema of a version as the newest known one, if it is.
  @inline(__always)
  private final func adoptingSchema(of snapshot: Snapshot) throws(Failure) -> Snapshot {
    if _slowPath(snapshot.root.schemaGeneration > knownGeneration.load(ordering: .acquiring)) {
      try checkVersion(snapshot.root)
      try adoptSchema(of: snapshot, snapshot.root)
    }
    return snapshot
  }

  final var closedFailure: Failure { Failure(.closed, "The store is closed.", path: options.path) }

  package final var isClosed: Bool { closedFlag.load(ordering: .acquiring) }

  // MARK: Damage

  /// Throws `.corrupted` when damaged bytes were met before, here or below.
  @inline(__always)
  package final func checkSound() throws(Failure) {
    guard _fastPath(!environment.isDamaged) else { throw damagedFailure() }
  }

  private final func damagedFailure() -> Failure {
    if isClosed { return closedFailure }
    let error = environment.damageError ?? StoreFile.damage
    logDamage(error.page.map { "page \($0)" } ?? error.detail)
    var failure = Failure(error)
    failure.path = options.path
    return failure
  }

  /// Notes that bytes of the file are damaged: the next open, refresh or write throws.
  package final func markDamaged(_ what: String) {
    // What a closed store reads may be gone, see `Environment.closeUnderSnapshots()`.
    if isClosed, environment.isDamaged { return }
    environment.markDamaged(StoreFile.damage)
    logDamage(what)
  }

  private static let damage = StorageError(.corrupted, "A read met damaged bytes.")

  // MARK: Schema

  package final var schema: FileSchema { schemaState.withLock { $0.schema } }

  /// The generation of ``schema``, without taking a lock.
  final var schemaGeneration: UInt64 { knownGeneration.load(ordering: .acquiring) }

  /// Reads the schema of a version, or of a write transaction, and takes it as the newest known one.
  ///
  /// - Throws: `.corrupted` with the path.
  final func adoptSchema(of reader: any TableReader, _ root: RootRecord) throws(Failure) {
    do throws(Failure) {
      adopt(try FileSchema.load(from: reader, root))
    } catch {
      var failure = error
      failure.path = options.path
      throw failure
    }
  }

  /// Takes a schema as the newest known one, unless a newer one is known already.
  final func adopt(_ schema: FileSchema) {
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
  package final func binding(for model: ClassDescription) -> ClassBinding {
    bindingReference(for: model).takeUnretainedValue()
  }

  /// As ``binding(for:)``, without counting references: the store keeps every binding.
  @inline(__always)
  final func bindingReference(for model: ClassDescription) -> Unmanaged<ClassBinding> {
    if let binding = bindings.binding(at: model.modelIndex),
      binding._withUnsafeGuaranteedRef({ $0.generation })
        == knownGeneration.load(ordering: .acquiring)
    {
      return binding
    }
    let binding = provisionalBinding(for: model, schema: schema)
    bindings.store(binding, at: model.modelIndex)
    logMismatch(binding)
    return .passUnretained(binding)
  }

  /// Makes a binding against a transaction's own schema, which is not committed yet.
  final func provisionalBinding(
    for model: ClassDescription, schema: FileSchema, token: TransactionOutcome? = nil
  ) -> ClassBinding {
    let binding = ClassBinding(model: model, in: schema, token: token)
    schemaState.withLock { $0.everyBinding.append(binding) }
    return binding
  }

  /// How many bindings were made: each stays as long as the store.
  package final var bindingCount: Int { schemaState.withLock { $0.everyBinding.count } }

  /// Whether these models were compared with the file before, at this schema generation or an earlier one:
  /// classes are bound again after a change of the schema, see ``binding(for:)``.
  final func isChecked(_ hash: SchemaHash) -> Bool {
    schemaState.withLock { $0.checkedModels.contains(hash) }
  }

  final func noteChecked(_ hash: SchemaHash) {
    schemaState.withLock { _ = $0.checkedModels.insert(hash) }
  }
}

/// Stands for one opening of a file, without keeping it open.
final class StoreIdentity: Sendable {}
