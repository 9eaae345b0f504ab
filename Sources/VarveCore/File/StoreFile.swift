package import Logging
import Synchronization
package import VarveEncoding
import VarveLocks
package import VarveStorage

/// An open file and its schema: the part of a store that reads, queries, comparisons of versions
/// and transactions use. ``Store`` adds views, writers and observers.
///
/// Thread safety: any thread may use it. Locks guard mutable state.
///
/// Processes: any number of processes may have the file open.
package class StoreFile: @unchecked Sendable {
  // Safe because every property is immutable or guards itself, here and in `Store`.

  package final let environment: Environment
  /// Identifies this opening of the file.
  final let identity = StoreIdentity()
  package final let options: StoreOptions
  package final let fileKey: FileKey
  package final let logger: Logger
  final let loggedOnce = LogOnce()
  final let madeDefaults = MadeDefaults()

  private struct SchemaState {
    var schema = FileSchema.empty
    /// Every binding ever made: handles refer to them without counting references.
    var everyBinding: [ClassBinding] = []
    /// The hashes of the models found compatible. They stay compatible, because any process can
    /// only extend the schema while its version is unchanged.
    var checkedModels: Set<SchemaHash> = []
  }
  /// Guards the cached schema state.
  private final let schemaState = Lock(SchemaState())
  /// The newest binding of each model class.
  private final let bindings = BindingTable()
  /// The generation of the cached schema, to compare without the lock.
  private final let loadedGeneration = Atomic<UInt64>(0)
  /// The schema version of the programs of this process; `.max` to follow any version.
  final let knownVersion = Atomic<UInt64>(.max)
  /// Guards the claim on that version.
  final let versionClaim = Lock(VersionClaim())
  /// The thread that runs a write transaction of this store, as `ThreadIdentity`, or 0 for none.
  final let writingThread = Atomic<UInt>(0)
  /// Whether this opening of the file was ended. Another store may have opened the file again.
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

  /// Returns the newest version, shared by all its readers.
  package final func newestSnapshot() throws(Failure) -> Snapshot {
    let snapshot = try snapshotOfFile()
    // Another store may have opened the file again.
    if _slowPath(isClosed) { throw closedFailure }
    return try adoptingSchema(of: snapshot)
  }

  /// Returns the newest version as ``newestSnapshot()`` does, also when this store is closed while
  /// another one has the file open.
  final func newestSnapshotWhileClosed() throws(Failure) -> Snapshot {
    try adoptingSchema(of: try snapshotOfFile())
  }

  /// Returns the newest version for a check, also after damaged bytes were detected. Its schema is
  /// not adopted.
  package final func newestSnapshotToCheck() throws(Failure) -> Snapshot {
    let snapshot = try Failure.translating(try environment.snapshot())
    if isClosed { throw closedFailure }
    return snapshot
  }

  @inline(__always)
  private final func snapshotOfFile() throws(Failure) -> Snapshot {
    try checkSound()
    return try Failure.translating(try environment.snapshot())
  }

  /// Adopts the schema of a version, if it is the newest one.
  @inline(__always)
  private final func adoptingSchema(of snapshot: Snapshot) throws(Failure) -> Snapshot {
    if _slowPath(snapshot.root.schemaGeneration > loadedGeneration.load(ordering: .acquiring)) {
      try checkVersion(snapshot.root)
      try adoptSchema(of: snapshot, snapshot.root)
    }
    return snapshot
  }

  final var closedFailure: Failure { Failure(.closed, "The store is closed.", path: options.path) }

  package final var isClosed: Bool { closedFlag.load(ordering: .acquiring) }

  // MARK: Damage

  /// Throws `.corrupted` when damaged bytes were detected before, in this layer or below.
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

  /// Records that bytes of the file are damaged: the next open, refresh or write throws.
  package final func markDamaged(_ what: String) {
    // The data that a closed store reads may no longer exist; see
    // `Environment.closeUnderSnapshots()`.
    if isClosed, environment.isDamaged { return }
    environment.markDamaged(StoreFile.damage)
    logDamage(what)
  }

  private static let damage = StorageError(.corrupted, "A read met damaged bytes.")

  // MARK: Schema

  package final var schema: FileSchema { schemaState.withLock { $0.schema } }

  /// The generation of ``schema``, read without taking a lock.
  final var schemaGeneration: UInt64 { loadedGeneration.load(ordering: .acquiring) }

  /// Reads the schema of a version, or of a write transaction, and adopts it if it is the newest
  /// one.
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

  /// Adopts a schema as the newest one, unless a newer one is already cached.
  final func adopt(_ schema: FileSchema) {
    schemaState.withLock { state in
      guard schema.generation >= state.schema.generation else { return }
      if schema.version != state.schema.version { state.checkedModels.removeAll() }
      state.schema = schema
      loadedGeneration.store(schema.generation, ordering: .releasing)
    }
  }

  /// Returns the binding of a model class to the class that the file stores under its name.
  ///
  /// A class that is not in the file is recorded, and the next write registers it.
  package final func binding(for model: ClassDescription) -> ClassBinding {
    bindingReference(for: model).takeUnretainedValue()
  }

  /// Returns the binding of ``binding(for:)`` without counting references, because the store keeps
  /// every binding.
  @inline(__always)
  final func bindingReference(for model: ClassDescription) -> Unmanaged<ClassBinding> {
    if let binding = bindings.binding(at: model.modelIndex),
      binding._withUnsafeGuaranteedRef({ $0.generation })
        == loadedGeneration.load(ordering: .acquiring)
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
    for model: ClassDescription, schema: FileSchema, outcome: TransactionOutcome? = nil
  ) -> ClassBinding {
    let binding = ClassBinding(model: model, in: schema, outcome: outcome)
    schemaState.withLock { $0.everyBinding.append(binding) }
    return binding
  }

  /// The number of bindings made. Each is kept as long as the store.
  package final var bindingCount: Int { schemaState.withLock { $0.everyBinding.count } }

  /// Returns whether these models were already compared with the file, at this schema generation or
  /// an earlier one. Classes are bound again after a change of the schema; see ``binding(for:)``.
  final func isChecked(_ hash: SchemaHash) -> Bool {
    schemaState.withLock { $0.checkedModels.contains(hash) }
  }

  final func noteChecked(_ hash: SchemaHash) {
    schemaState.withLock { _ = $0.checkedModels.insert(hash) }
  }
}

/// The identity of one opening of a file. It does not keep the file open.
final class StoreIdentity: Sendable {}
