import Synchronization
import VarveEncoding
package import VarveStorage

/// A write transaction: LMDB's, with the rows and list nodes that are being changed held in memory
/// until they are flushed, so that each is written once.
///
/// An operation that cannot be done *dooms* the transaction: the operation is skipped, the others go
/// on, and at the end the write throws the first failure and keeps nothing. After a failure of the
/// engine operations do nothing and reads give the state before the write.
///
/// Thread safety: none; the thread that runs the write uses it. What every operation touches is not
/// checked for exclusive access at run time: no operation calls back into another one.
package final class Transaction {
  package let store: Store
  let storage: WriteTransaction
  /// The version before the write.
  package let base: Snapshot
  /// Unique in the process; a new one after each nested transaction, so that what handles keep of
  /// the transaction's state ends with it.
  @exclusivity(unchecked) package internal(set) var serial: UInt64
  @exclusivity(unchecked) package internal(set) var schema: FileSchema {
    didSet {
      lastTemplate = nil
      currentClass = nil
    }
  }
  /// The first failure of an operation; the write throws it at its end.
  @exclusivity(unchecked) package internal(set) var failure: Failure? {
    didSet { failureFlag = failure != nil }
  }
  @exclusivity(unchecked) private var failureFlag = false
  /// Whether there is a failure; the question is cheaper than the answer.
  package var isDoomed: Bool { failureFlag }
  @exclusivity(unchecked) package internal(set) var token: TransactionToken

  /// Rows, and collections, held before they are written early, so that memory stays bounded.
  var maximumEditedRows = 20_000
  var maximumCollections = 4096
  @exclusivity(unchecked) var rows: [RowKey: EditedRow]
  @exclusivity(unchecked) var lastRow: EditedRow?
  @exclusivity(unchecked) var collections: [CollectionKey: EditedCollection]
  /// That of a property which was asked for last, one of `collections`.
  @exclusivity(unchecked) var lastCollection: EditedCollection?
  /// Changes whenever `collections` is emptied: handles that kept one of them look it up again.
  @exclusivity(unchecked) package internal(set) var collectionsSerial: UInt64 = 0
  /// Nested collections that have left their places and are to be removed.
  var removedNested: [(CollectionKey, CollectionKind)] = []
  @exclusivity(unchecked) var appendPoints = AppendPoints()
  /// The greatest ids generated, of classes with generated keys: above those of deleted objects, and of objects on the way.
  @exclusivity(unchecked) var generatedIDs = AppendPoints()
  /// Embedded objects that the running operation has taken out of their places; empty between operations.
  @exclusivity(unchecked) var orphans: Set<RowKey> = []
  /// Embedded objects that the running operation has given places in other ones; empty between operations.
  @exclusivity(unchecked) var nestedPlaces: Set<RowKey> = []
  /// The observers that the commit is left out for.
  private(set) var silenced: [any SilencedObserver] = []
  let scratchRow: RowBuffer
  let scratchLeaf: ListLeafBuffer
  @exclusivity(unchecked) var scratchKey: OrderedKey
  @exclusivity(unchecked) var scratchValue: ByteBuffer
  /// The bindings of the classes that the transaction may write, by `ClassDescription.modelIndex`.
  var bindings: [Int: ClassBinding] = [:]
  /// Those of classes that were only read.
  var knownBindings: [Int: ClassBinding] = [:]
  /// The binding asked for last.
  @exclusivity(unchecked) var lastBinding: ClassBinding?

  /// The class that was found to be one of `schema` last.
  @exclusivity(unchecked) var currentClass: Unmanaged<ClassSchema>?
  /// That of ``knownBinding(for:)``.
  @exclusivity(unchecked) var lastKnownBinding: ClassBinding?

  /// The row template asked for last. The memory is that of its class's binding, which the store keeps.
  @exclusivity(unchecked) var lastTemplate: UnsafePointer<RowTemplate>?

  /// Class tables with ids up to this are open in this transaction.
  var openedTables: UInt32
  /// Models that were registered, or found compatible.
  var registered: [SchemaHash] = []
  /// Counts the changes, so that what was found before a change is found anew.
  @exclusivity(unchecked) package internal(set) var changeCount: UInt64 = 0
  /// Set once the engine has failed: from then on nothing reaches it.
  @exclusivity(unchecked) var hasLeftEngine = false
  /// What was deleted since then.
  var deletedInMemory: Set<RowKey> = []

  /// What the nested transactions that are open restore when they are rolled back.
  var frames: [Frame] = []
  /// What the views that take part read.
  var participants: [ViewPin] = []
  /// What ``takeLateMoves()`` gives.
  var lateMoves = LateMoves()
  /// The view of `Realm()` inside the write of a closure, made when it is asked for.
  var ownView: View?
  /// That of a write without a closure, as long as anybody has it.
  weak var lentView: View?
  @exclusivity(unchecked) var createdContext: ReadContext? {
    didSet { createdReference = createdContext.map { .passUnretained($0) } }
  }
  /// The same once more, for uses that must not count references.
  @exclusivity(unchecked) private(set) var createdReference: Unmanaged<ReadContext>?
  /// Set in an asynchronous write whose closure decides itself whether to commit: what it has decided.
  package var begunAsyncWrite: BegunAsyncWrite?
  /// Whether writes that wait may join the transaction once the closure that began it has ended.
  var mayBeShared: Bool { begunAsyncWrite?.mayBeShared ?? false }
  /// Whether a thread of the store is tied to the transaction.
  var isTied = false
  let engineThread: EngineThread
  /// Whether calls begin and end the transaction, and no closure is around it.
  var isManual: Bool {
    if case .writer = engineThread { true } else { false }
  }

  private static let serials = Atomic<UInt64>(0)

  static func nextSerial() -> UInt64 {
    serials.wrappingAdd(1, ordering: .relaxed).newValue
  }

  init(
    store: Store, storage: WriteTransaction, schema: FileSchema,
    engineThread: EngineThread = .calling
  ) {
    self.engineThread = engineThread
    let scratch = store.takeScratch()
    scratchRow = scratch.row
    scratchLeaf = scratch.leaf
    scratchKey = scratch.key
    rows = scratch.rows
    collections = scratch.collections
    scratchValue = scratch.value
    self.store = store
    self.storage = storage
    self.schema = schema
    base = storage.base
    openedTables = storage.root.nextClassID + Store.spareClassTables
    serial = Transaction.nextSerial()
    collectionsSerial = Transaction.nextSerial()
    token = TransactionToken()
  }

  /// Hands the scratch buffers to the next write, as long as the write lock is held. Nothing is encoded afterwards.
  func handOnScratch() {
    var scratch = ScratchBuffers(row: scratchRow, leaf: scratchLeaf)
    Swift.swap(&scratch.key, &scratchKey)
    Swift.swap(&scratch.value, &scratchValue)
    Swift.swap(&scratch.rows, &rows)
    Swift.swap(&scratch.collections, &collections)
    store.keepScratch(scratch)
  }

  // MARK: Failures

  /// Translates the engine's failures.
  func engine<R>(_ call: () throws(StorageError) -> R) throws(Failure) -> R {
    try Failure.translating(try call())
  }

  /// Has the engine change the file; after its failure there is nothing to change any more.
  @inline(__always)
  func change(_ call: () throws(StorageError) -> Void) throws(Failure) {
    guard _fastPath(!hasLeftEngine) else { return }
    try engine(call)
  }

  /// Translates failures of the format: bytes of the file that are not what they must be.
  func format<R>(_ call: () throws(FormatError) -> R) throws(Failure) -> R {
    do throws(FormatError) {
      return try call()
    } catch {
      throw Failure(error, message: "Stored bytes are damaged.")
    }
  }

  /// Leaves the commit out for some observers.
  package func silence(_ observers: [any SilencedObserver]) { silenced += observers }

  /// Where reads inside the write go.
  package var reader: any TableReader { !storage.hasFailed ? storage : base }
}
