import Synchronization
import VarveEncoding
package import VarveStorage

/// Changes the objects, collections, indexes and schema of a file in a write transaction of LMDB. The rows and list
/// nodes that are being changed are held in memory until they are flushed, so that each is written once.
///
/// An operation that cannot be done *dooms* the transaction: the operation is skipped, the others go
/// on, and at the end the write throws the first failure and keeps nothing. After a failure of the
/// engine operations do nothing and reads give the state before the write.
///
/// Thread safety: none; the thread that runs the write uses it. What every operation touches is not
/// checked for exclusive access at run time: no operation calls back into another one.
package class FileEditor {
  final let file: StoreFile
  final let writer: WriterState
  final let storage: WriteTransaction
  /// The version before the write.
  package final let base: Snapshot
  /// Unique in the process, and renewed after each nested transaction: what handles cache of the transaction's state is
  /// invalid afterwards.
  @exclusivity(unchecked) package final internal(set) var serial: UInt64
  @exclusivity(unchecked) package final internal(set) var schema: FileSchema {
    didSet { classes.noteNewSchema() }
  }
  /// The first failure of an operation; the write throws it at its end.
  @exclusivity(unchecked) package final internal(set) var failure: Failure? {
    didSet { failureFlag = failure != nil }
  }
  @exclusivity(unchecked) private final var failureFlag = false
  /// Whether there is a failure; the question is cheaper than the answer.
  package final var hasFailure: Bool { failureFlag }
  /// Tells the handles of objects that are made how the transaction, or the nested one that runs, ended.
  @exclusivity(unchecked) package final internal(set) var token: TransactionOutcome
  /// Counts the changes: results that were cached before a change are invalid.
  @exclusivity(unchecked) package final internal(set) var changeCount: UInt64 = 0
  /// Set once the engine has failed: from then on nothing reaches it.
  @exclusivity(unchecked) final var hasLeftEngine = false
  /// What the nested transactions that are open restore when they are rolled back.
  final var frames: [Frame] = []

  // MARK: Rows

  @exclusivity(unchecked) final var rows = BufferedRows()
  @exclusivity(unchecked) final var highestObjectIDs = HighestObjectIDs()
  /// The greatest ids generated, of classes with generated keys: above those of deleted objects, and of objects on the
  /// way.
  @exclusivity(unchecked) final var generatedIDs = HighestObjectIDs()
  /// Embedded objects that the running operation has taken out of their places; empty between operations.
  @exclusivity(unchecked) final var orphans: Set<RowKey> = []
  /// Embedded objects that the running operation has given places in other ones; empty between operations.
  @exclusivity(unchecked) final var nestedPlaces: Set<RowKey> = []
  /// What was deleted since the engine failed.
  final var deletedInMemory: Set<RowKey> = []
  final let scratchRow: RowBuffer
  @exclusivity(unchecked) final var scratchKey: OrderedKey
  @exclusivity(unchecked) final var scratchValue: ByteBuffer

  // MARK: Collections

  @exclusivity(unchecked) final var collections = CachedCollections()
  /// Changes whenever a collection that handles may have kept is let go of.
  package final var collectionsSerial: UInt64 { collections.serial }
  /// Nested collections that have left their places and are to be removed.
  final var removedNested: [(CollectionKey, CollectionKind)] = []
  final let scratchLeaf: ListLeafBuffer

  // MARK: Classes

  @exclusivity(unchecked) final var classes = BoundClasses()
  /// Class tables with ids up to this are open in this transaction.
  final var openedTables: UInt32
  /// Models that were registered, or found compatible.
  final var registered: [SchemaHash] = []

  private static let serials = Atomic<UInt64>(0)

  static func nextSerial() -> UInt64 {
    serials.wrappingAdd(1, ordering: .relaxed).newValue
  }

  init(_ storage: WriteTransaction, of file: StoreFile, _ writer: WriterState) {
    let scratch = writer.takeScratch()
    scratchRow = scratch.row
    scratchLeaf = scratch.leaf
    scratchKey = scratch.key
    scratchValue = scratch.value
    self.file = file
    self.writer = writer
    self.storage = storage
    schema = file.schema
    base = storage.base
    openedTables = storage.root.nextClassID + WriterState.spareClassTables
    serial = FileEditor.nextSerial()
    token = TransactionOutcome()
    rows.all = scratch.rows
    collections.all = scratch.collections
  }

  /// Hands the scratch buffers to the next write, as long as the write lock is held. Nothing is encoded afterwards.
  final func handOnScratch() {
    var scratch = ScratchBuffers(row: scratchRow, leaf: scratchLeaf)
    Swift.swap(&scratch.key, &scratchKey)
    Swift.swap(&scratch.value, &scratchValue)
    Swift.swap(&scratch.rows, &rows.all)
    Swift.swap(&scratch.collections, &collections.all)
    writer.keepScratch(scratch)
  }

  /// Writes changed list nodes, collection slots and rows, so that scans see them.
  final func flush() throws(Failure) {
    guard !hasLeftEngine else { return }
    try flushCollections()
    try flushRows()
  }

  final func discardEdits() {
    rows.removeAll()
    collections.removeAll()
  }

  /// Where reads inside the write go.
  package final var reader: any TableReader { !storage.hasFailed ? storage : base }

  // MARK: Failures

  /// Translates the engine's failures.
  final func engine<R>(_ call: () throws(StorageError) -> R) throws(Failure) -> R {
    try Failure.translating(try call())
  }

  /// Has the engine change the file; after its failure there is nothing to change any more.
  @inline(__always)
  final func change(_ call: () throws(StorageError) -> Void) throws(Failure) {
    guard _fastPath(!hasLeftEngine) else { return }
    try engine(call)
  }

  /// Translates failures of the format: bytes of the file that are not what they must be.
  final func format<R>(_ call: () throws(FormatError) -> R) throws(Failure) -> R {
    try Failure.decoding("Stored bytes are damaged.", try call())
  }
}
